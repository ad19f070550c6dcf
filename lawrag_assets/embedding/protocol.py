"""What an embedder is to everyone else. How a vector comes about does not belong here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from lawrag_assets.errors import WorkFailedError

Kind = Literal["query", "passage"]
Vectors = npt.NDArray[np.float32]


class EmbeddingError(WorkFailedError):
    """The work of embedding failed (a service is down, an answer is wrong), though the input was right."""


@dataclass(frozen=True)
class Embedded:
    """The vectors of some texts, in the order of the texts.

    `vectors` is (n, d) float32, each row of length 1. `token_counts` (n) int32 are the tokens the model read of each text, with
    prompt and special tokens, at most its limit; `cut` (n) bool says which texts were longer than that.
    """

    vectors: Vectors
    token_counts: npt.NDArray[np.int32]
    cut: npt.NDArray[np.bool_]

    @property
    def truncated(self) -> int:
        """How many texts were cut at the model's limit."""
        return int(self.cut.sum())

    @property
    def tokens(self) -> int:
        """How many tokens the model read."""
        return int(self.token_counts.sum())


class Embedder(Protocol):
    """A model that turns texts into vectors. Opening one is cheap; its weights are loaded when it first embeds."""

    @property
    def name(self) -> str:
        """The model as the user named it."""

    @property
    def identity(self) -> str:
        """Model, revision or checksum, and precision: equal identities give vectors within 1e-3. Usable as a file name."""

    @property
    def dimension(self) -> int:
        """The length d of a vector."""

    @property
    def max_tokens(self) -> int:
        """The model's limit in tokens, prompt and special tokens included."""

    def load(self) -> None:
        """Make ready now what the first `embed` would (weights, libraries), so that a timing leaves it out."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Embedded:
        """Embed texts as queries or as passages; the vector of a text depends on the other texts by less than 1e-3.

        Raises InputError when the model cannot be had, EmbeddingError when it fails.
        """


@dataclass(frozen=True)
class TokenVectors:
    """The vectors of a text's tokens, prompt and special tokens left out, and the vector of the whole text.

    `vectors` is (tokens, d) float32, each row of length 1; `spans` (tokens, 2) says which characters of the text each token is, end
    exclusive; `pooled` (d,) is what `embed` gives for the text; `lengths` (tokens,) are the vectors' own, before they were made 1.
    """

    vectors: Vectors
    spans: npt.NDArray[np.int32]
    pooled: Vectors
    lengths: npt.NDArray[np.float32]


@runtime_checkable
class TokenEmbedder(Protocol):
    """An embedder that can show the vectors it pools: what late interaction compares."""

    def embed_tokens(self, texts: Sequence[str], kind: Kind) -> list[TokenVectors]:
        """The token vectors of each text, as far as the model reads it.

        Errors as `Embedder.embed`; InputError, too, where a model has none, as static ones.
        """
