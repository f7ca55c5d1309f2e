"""The first steps on a new computer: what it is, a profile, a model, a document."""
