"""The tiered KV cache: sealed blocks, the places they live in, and the cache that transformers sees."""
