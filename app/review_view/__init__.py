"""The review: the questions of a checklist in a table, with their answers beside the document."""
