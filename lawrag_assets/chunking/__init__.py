"""Chunking: base units of a corpus and the strategies that turn units into chunks, each by name in a registry.

Plain tables in, plain tables out. What a chunk is embedded with and where it is stored are other rooms' business.
"""

from lawrag_assets.chunking import flat, units, windows
from lawrag_assets.chunking.registry import BASE_UNITS, STRATEGIES, BaseUnit, Strategy, Tokenize

__all__ = ["BASE_UNITS", "STRATEGIES", "BaseUnit", "Strategy", "Tokenize"]

units.register()
windows.register()
flat.register()
