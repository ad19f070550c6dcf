"""Which device and precision a setting and a machine lead to."""

from pathlib import Path

import pytest

from lawrag_assets.embedding import device
from lawrag_assets.embedding.device import Compute, choose_compute
from lawrag_assets.errors import InputError


@pytest.fixture(params=[True, False], ids=["fast bfloat16", "no bfloat16"])
def fast_bfloat16(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """A machine without a graphics card, once with instructions for bfloat16 and once without."""
    monkeypatch.setattr(device, "_processor_flags", lambda: {"avx2", "avx512_bf16"} if request.param else {"avx2"})
    monkeypatch.setattr(device, "_best_device", lambda: "cpu")
    return bool(request.param)


def test_the_processor_computes_in_what_it_is_fast_in(fast_bfloat16: bool) -> None:
    best = "bfloat16" if fast_bfloat16 else "float32"
    assert choose_compute("auto") == Compute("cpu", best, guessed=True)
    assert choose_compute("cpu") == Compute("cpu", best)


def test_a_named_precision_is_kept(fast_bfloat16: bool) -> None:
    assert choose_compute("cpu:float32") == Compute("cpu", "float32")
    assert choose_compute("auto:bfloat16") == Compute("cpu", "bfloat16", guessed=True)


def test_a_graphics_card_is_taken_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_best_device", lambda: "cuda")
    assert choose_compute("auto") == Compute("cuda", "float32", guessed=True)
    assert choose_compute("cuda") == Compute("cuda", "float32")
    assert choose_compute("cpu").device == "cpu"


@pytest.mark.parametrize("setting", ["", "gpu", "cpu:", "cpu:int8", "cpu:float32:x", "CPU", ":float32"])
def test_another_setting_is_refused_with_the_allowed_ones(setting: str) -> None:
    with pytest.raises(InputError, match="auto, cpu, cuda, mps"):
        choose_compute(setting)


def test_the_flags_of_a_processor_are_words_not_substrings(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor : 0\nflags\t\t: fpu avx2 not_avx512_bf16\nbugs : amx_bf16\n")
    assert device._processor_flags(cpuinfo) == {"fpu", "avx2", "not_avx512_bf16"}
    assert device._processor_flags(tmp_path / "none") == set()
