"""Lectern's engine, documents and command line; imports no Qt."""

__version__ = "0.1.0"
