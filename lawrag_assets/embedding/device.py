"""Which device and which precision a model computes in, decided by what the machine does well, without importing torch.

Only the choice is made here; `sentence_transformers_backend` carries it out.
"""

import importlib.metadata
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from lawrag_assets.errors import InputError

DeviceName = Literal["cpu", "cuda", "mps"]
Precision = Literal["float32", "bfloat16"]
SETTINGS = ("auto", "cpu", "cuda", "mps")
PRECISIONS = ("float32", "bfloat16")
_FAST_BFLOAT16 = {"amx_bf16", "avx512_bf16"}


@dataclass(frozen=True)
class Compute:
    """A device with the precision of the model's weights and activations on it. Vectors are always handed out as float32.

    `guessed`: nobody named the device, so that the processor does where torch cannot use it after all.
    """

    device: DeviceName
    precision: Precision
    guessed: bool = False


def choose_compute(setting: str = "auto") -> Compute:
    """Read a device setting: `auto`, `cpu`, `cuda` or `mps`, each with an optional `:float32` or `:bfloat16`.

    `auto` is the graphics card where torch can use one, else the processor. Without a precision a processor computes in bfloat16
    where it has instructions for it (AMX, AVX512-BF16) and in float32 elsewhere, where bfloat16 would be several times slower;
    a graphics card computes in float32. Raises InputError for anything else.
    """
    device, _, precision = setting.partition(":")
    if device not in SETTINGS or precision not in ("", *PRECISIONS) or setting.endswith(":"):
        raise InputError(f"device {setting!r}: use one of {', '.join(SETTINGS)}, with :float32 or :bfloat16 behind it if wanted")
    guessed = device == "auto"
    if guessed:
        device = _best_device()
    if not precision:
        precision = "bfloat16" if device == "cpu" and _FAST_BFLOAT16 & _processor_flags() else "float32"
    return Compute(cast(DeviceName, device), cast(Precision, precision), guessed)


def _best_device() -> DeviceName:
    """The graphics card that is there by the look of it: a driver's device file, and a torch that is no CPU build."""
    if sys.platform == "darwin":
        return "mps" if platform.machine() == "arm64" else "cpu"
    cpu_build = importlib.metadata.version("torch").endswith("+cpu")
    driver = any(Path(name).exists() for name in ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg"))
    return "cuda" if driver and not cpu_build else "cpu"


def _processor_flags(path: Path = Path("/proc/cpuinfo")) -> set[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux: float32 is always right
        return set()
    return {flag for line in lines if line.startswith("flags") for flag in line.partition(":")[2].split()}
