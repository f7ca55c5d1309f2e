"""Reviews: many questions about one document, and what came of them."""
