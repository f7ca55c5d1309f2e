"""What a user made and would miss: documents, conversations and findings, in one SQLite file."""
