"""Whether a language model answers at all: one tiny request, outside the cache. What good answers are is `validation`'s."""

from lawrag_assets.errors import WorkFailedError
from lawrag_assets.generation import extractive
from lawrag_assets.services import litellm_module, one_line, raise_if_refused, require_provider

_SECONDS = 20


def ask_once(llm: str, *, api_base: str | None) -> str:
    """Ask the model for a word, and say that it answered; rules are asked nothing.

    Raises InputError where the model or key is refused, WorkFailedError where nothing answers.
    """
    if llm == extractive.NAME:
        return "rules, no model: nothing to reach"
    what = f"language model {llm!r}"
    require_provider(llm, api_base, what=what, example="PROVIDER/MODEL, as in openai/gpt-5-mini")
    messages = [{"role": "system", "content": "Antworte mit einem Wort."}, {"role": "user", "content": "Bist du da?"}]
    try:
        litellm_module().completion(
            model=llm, messages=messages, api_base=api_base, max_tokens=16, timeout=_SECONDS, num_retries=0, max_retries=0
        )
    except Exception as error:  # litellm's exceptions share no base of their own
        raise_if_refused(error, what)
        raise WorkFailedError(f"{what}: {one_line(error)}") from error
    return f"{llm} answered one tiny request"
