"""From an utterance to typed acts."""
