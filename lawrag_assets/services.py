"""LiteLLM as embedding and generation both use it: imported late and quietly, its errors told apart, its prices looked up.

What is asked of a service, and how often, belongs to the rooms.
"""

import os
from dataclasses import dataclass
from typing import Any

from lawrag_assets.errors import InputError

_RETRIED = {408, 409, 425, 429}
_REFUSED = {401, 403, 404}


def litellm_module() -> Any:
    """litellm, which takes seconds to import: call this only when something is sent. It asks the network for nothing by itself."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else it asks the network for prices at import
    import litellm

    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True  # for counting tokens an approximation will do
    return litellm


def require_provider(model: str, api_base: str | None, *, what: str, example: str) -> str:
    """The provider of a LiteLLM model, once it is known and has a key. `what` names the model in the errors.

    Raises InputError for a provider that LiteLLM does not know (`example` is shown) and for a key that is not set.
    """
    litellm = litellm_module()
    try:
        provider = str(litellm.get_llm_provider(model, api_base=api_base)[1])
    except litellm.exceptions.BadRequestError as error:
        raise InputError(f"{what}: LiteLLM knows no such provider; write {example}") from error
    state = litellm.validate_environment(model, api_base=api_base)
    keys = [name for name in state["missing_keys"] if name.endswith("_KEY")]
    if keys and not state["keys_in_environment"]:
        raise InputError(f"{what}: set {' or '.join(keys)} in the environment (a server of your own takes any)")
    return provider


@dataclass(frozen=True)
class Price:
    """What a model takes, in US dollars a token."""

    input: float
    output: float

    def of(self, input_tokens: float, output_tokens: float = 0) -> float:
        """The price of so many tokens."""
        return self.input * input_tokens + self.output * output_tokens


def price_of(model: str) -> Price | None:
    """The list price of a LiteLLM model by the price list that comes with litellm, which asks no network; None if it is not on it."""
    try:
        known = litellm_module().get_model_info(model)
    except Exception:  # litellm raises a bare Exception for a model that is not on its list
        return None
    sent, received = known.get("input_cost_per_token"), known.get("output_cost_per_token")
    return Price(float(sent), float(received or 0)) if sent else None


def is_passing(error: Exception) -> bool:
    """Whether asking again may help: rate limits, time-outs, and failures of the service."""
    status = getattr(error, "status_code", None)
    return isinstance(status, int) and (status >= 500 or status in _RETRIED)


def raise_if_refused(error: Exception, what: str) -> None:
    """Raise InputError where the service refuses the model or the key: no request will ever succeed."""
    if getattr(error, "status_code", None) in _REFUSED:
        raise InputError(
            f"{what}: the service refuses: {one_line(error)}; see that the model's name and the key in the environment are right"
        ) from error


def one_line(error: Exception) -> str:
    """The first line of an error's message, cut at 300 characters."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
