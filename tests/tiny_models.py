"""Tiny models to test with, made here."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ":", "der", "die", "ist", "käufer", "nicht", "passage", "query", "sache", "so"]
VOCABULARY += ["verkäufer", "vertrag", "wenn", "zahlt"]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A function that saves a small random sentence-transformers model in a folder of the name given, and returns the folder."""

    def make(name: str, *, pooling: str = "mean", prompts: dict[str, str] | None = None, include_prompt: bool = True) -> Path:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
        from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

        torch.manual_seed(7)
        base = tmp_path_factory.mktemp("base")
        tokenizer: Any = Tokenizer(models.WordLevel({word: index for index, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.Lowercase()
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
        PreTrainedTokenizerFast(
            tokenizer_object=tokenizer,
            pad_token="[PAD]",
            unk_token="[UNK]",
            cls_token="[CLS]",
            sep_token="[SEP]",
            model_max_length=32,
        ).save_pretrained(base)
        config = BertConfig(
            vocab_size=64,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=32,
            initializer_range=0.5,
        )
        BertModel(config).save_pretrained(base)
        transformer = Transformer(str(base), max_seq_length=32)
        pooler = Pooling(16, pooling_mode=pooling, include_prompt=include_prompt)
        folder = tmp_path_factory.mktemp("models") / name
        SentenceTransformer(modules=[transformer, pooler], prompts=prompts or {}, device="cpu").save(
            str(folder), create_model_card=False
        )
        return folder

    return make
