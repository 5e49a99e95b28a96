"""Carrying out acts: each handler takes the state and an act and gives the new state and what is said."""
