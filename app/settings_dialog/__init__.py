"""The dialog in which the user chooses."""
