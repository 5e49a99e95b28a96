"""How our roles speak: implementations of the role protocols."""
