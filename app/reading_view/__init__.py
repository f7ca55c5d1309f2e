"""What of the documents is read: chosen in a dialog, shown in a strip while it holds."""
