"""Reviews as files for others to read: Markdown, CSV, Word and HTML."""
