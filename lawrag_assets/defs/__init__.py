"""Wiring: thin Dagster assets over the domain rooms. Only this room and `definitions` import Dagster."""
