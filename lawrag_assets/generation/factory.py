"""From the name of a language model to a generator. Imports no litellm: a run that finds every answer in the cache never pays for it."""

from dataclasses import dataclass

from lawrag_assets.errors import InputError
from lawrag_assets.generation import extractive
from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.cached import CachedGenerator, CacheMode, Progress
from lawrag_assets.generation.extractive import ExtractiveGenerator
from lawrag_assets.generation.litellm_generator import LiteLLMGenerator
from lawrag_assets.generation.protocol import Generator


def open_generator(llm: str, *, api_base: str | None = None, concurrency: int = 8) -> Generator:
    """The generator of a model: `extractive`, or any LiteLLM model name (`openai/gpt-5-mini`).

    `api_base` is the address of the model's service where it is not the provider's own; at most `concurrency` requests go to it at
    once. Raises InputError for an empty name; a model that there is not shows when it is first asked.
    """
    if not llm.strip():
        raise InputError(f"language model {llm!r}: write {extractive.NAME}, or a LiteLLM model such as openai/gpt-5-mini")
    return ExtractiveGenerator() if llm == extractive.NAME else LiteLLMGenerator(llm, api_base=api_base, concurrency=concurrency)


@dataclass(frozen=True)
class Generation:
    """A generator and the store of its answers."""

    generator: Generator
    store: AnswerStore
    mode: CacheMode

    def cached(self, progress: Progress) -> CachedGenerator:
        """The generator behind its store, with a tally of its own."""
        return CachedGenerator(self.generator, self.store, mode=self.mode, progress=progress)
