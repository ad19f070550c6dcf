"""Chunking: base units of a corpus and the strategies that turn units into chunks, each by name in a registry.

Plain tables in, plain tables out; vectors and a generator are handed in as small protocols (`material`). What a chunk is embedded with
and where it is stored are other rooms' business.
"""

from lawrag_assets.chunking import (
    contextual,
    flat,
    heading_path,
    late,
    lumber,
    plugins,
    propositions,
    raptor,
    reference_expanded,
    semantic_cluster,
    units,
    windows,
)
from lawrag_assets.chunking.material import Material, Tokenize
from lawrag_assets.chunking.registry import BASE_UNITS, STRATEGIES, BaseUnit, Strategy

__all__ = ["BASE_UNITS", "STRATEGIES", "BaseUnit", "Material", "Strategy", "Tokenize"]

units.register()
propositions.register()
windows.register()
flat.register()
contextual.register()
semantic_cluster.register()
lumber.register()
raptor.register()
heading_path.register()
reference_expanded.register()
late.register()
plugins.register()
