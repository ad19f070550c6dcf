"""Wiring: thin Dagster assets over the domain rooms. The only rooms that import Dagster are this one, `definitions` and `cli`."""
