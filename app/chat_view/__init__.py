"""The conversation: questions, streamed answers, and the places in the document that support them."""
