"""Earlier conversations in the window: the list, the search, and what can be done with one."""
