"""From token ids to events: prefill, sampling, decoding and the text that streams."""
