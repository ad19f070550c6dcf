"""An embedder that counts what another would have to embed, and embeds nothing: the embedding model's part of a dry run.

What has to stand in for a vector that is not there yet is the text's wording: its runs of four letters, hashed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lawrag_assets.embedding.late import token_embedder
from lawrag_assets.embedding.litellm_backend import LiteLLMEmbedder
from lawrag_assets.embedding.protocol import Embedded, Embedder, Kind, TokenVectors, Vectors

STAND_IN_DIMENSION = 128


@dataclass
class Foreseen:
    """What would be embedded: texts and their tokens; `calls` are requests to a service, 0 for a model on this machine."""

    texts: int = 0
    tokens: int = 0
    calls: int = 0


class ForeseeingEmbedder:
    """Stands in the place of a model. It is an `Embedder` itself."""

    def __init__(self, embedder: Embedder, count_tokens: Callable[[Sequence[str]], int], dimension: int) -> None:
        """Take whose work is counted, how to count a local model's tokens without loading it, and the length of the stand-ins."""
        self.foreseen = Foreseen()
        self._embedder = embedder
        self._count_tokens = count_tokens
        self.name, self.identity, self.dimension = embedder.name, embedder.identity, dimension

    @property
    def max_tokens(self) -> int:
        """The model's."""
        return self._embedder.max_tokens

    def load(self) -> None:
        """Nothing has to be made ready."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Embedded:
        """Count, and hand out stand-ins."""
        if isinstance(self._embedder, LiteLLMEmbedder):
            calls, tokens = self._embedder.effort(texts)
        else:
            calls, tokens = 0, self._count_tokens(texts)
        self.foreseen.texts += len(texts)
        self.foreseen.tokens += tokens
        self.foreseen.calls += calls
        return Embedded(wording(texts, self.dimension), np.zeros(len(texts), np.int32), np.zeros(len(texts), np.bool_))

    def embed_tokens(self, texts: Sequence[str], kind: Kind) -> list[TokenVectors]:
        """Count, and let the whole text be one token. Raises InputError where the model would."""
        token_embedder(self._embedder)
        pooled = self.embed(texts, kind).vectors
        one = np.ones(1, np.float32)
        return [
            TokenVectors(vector[None, :], np.array([[0, len(text)]], np.int32), vector, one)
            for text, vector in zip(texts, pooled, strict=True)
        ]


def wording(texts: Sequence[str], dimension: int) -> Vectors:
    """Texts as (n, dimension) vectors, alike where their wording is; a text's does not depend on the others."""
    from sklearn.feature_extraction.text import HashingVectorizer

    hashing = HashingVectorizer(analyzer="char_wb", ngram_range=(4, 4), n_features=dimension, norm="l2")
    return np.asarray(hashing.transform(texts).toarray(), np.float32)
