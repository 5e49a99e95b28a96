"""What replays have found, as figures: MORTAR's tables and what goes beyond them."""
