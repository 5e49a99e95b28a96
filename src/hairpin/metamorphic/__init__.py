"""What replays show: perturbed question sequences, equivalent contexts, relations between answers."""
