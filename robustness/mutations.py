"""Ways to spoil the text of a model file, as tired people and bad editors do.

Each takes a source of random numbers and the lines of a good file and gives other lines. Nothing here knows the model's
language: what comes out may be a good model, a bad one, or no YAML at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

Lines = list[str]
Mutation = Callable[[np.random.Generator, Lines], Lines]

NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e-?\d+)?(?![\w.])", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z_][\w-]*")
STRANGE_NUMBERS = (
    "0", "-1", "1e308", "-1e-308", "1e999", ".nan", ".inf", "1e", "0x1F", "1_000", "12 kg", "3 parsec", "007", "", "t",
    "1/0", "sqrt(-1)", "10^400", "9" * 400, "if(t > 1, 2)", "__import__('os')", "a.b.c", "[]", "{}", "null", "true",
    "9" * 350, "0x" + "f" * 350, "1e160", "1e-308", "5e-324", "1e38 km", "exp(1000)",
)  # fmt: skip
STRANGE_TEXTS = (
    "", "~", "null", "&a [*a]", "!!python/object:os.system x", "\0", "\t", "- - -", "'", '"', "{", "]", "*x", "?",
    "é" * 50, "💥", "a: b: c", "ground", "%YAML 9.9", "<<: {}", "x" * 5000,
    '"\\U00110000"', '"\\ud800"', '"a\\0b"', f"%YAML 1.{'9' * 5000}",
)  # fmt: skip


def _somewhere(rng: np.random.Generator, lines: Lines) -> int:
    return int(rng.integers(len(lines)))


def drop_line(rng: np.random.Generator, lines: Lines) -> Lines:
    k = _somewhere(rng, lines)
    return lines[:k] + lines[k + 1 :]


def double_line(rng: np.random.Generator, lines: Lines) -> Lines:
    k = _somewhere(rng, lines)
    return lines[: k + 1] + lines[k:]


def swap_lines(rng: np.random.Generator, lines: Lines) -> Lines:
    i, j = _somewhere(rng, lines), _somewhere(rng, lines)
    out = list(lines)
    out[i], out[j] = out[j], out[i]
    return out


def indent_line(rng: np.random.Generator, lines: Lines) -> Lines:
    k, out = _somewhere(rng, lines), list(lines)
    out[k] = " " * int(rng.integers(1, 5)) + out[k] if rng.random() < 0.5 else out[k].lstrip()
    return out


def cut_off(rng: np.random.Generator, lines: Lines) -> Lines:
    text = "\n".join(lines)
    return text[: int(rng.integers(len(text)))].split("\n")


def change_number(rng: np.random.Generator, lines: Lines) -> Lines:
    return _replace(rng, lines, NUMBER, lambda old: STRANGE_NUMBERS[int(rng.integers(len(STRANGE_NUMBERS)))])


def scale_number(rng: np.random.Generator, lines: Lines) -> Lines:
    """By a slip of the unit, and now and then out of all bounds."""
    reach = 12 if rng.random() < 0.8 else 290
    return _replace(
        rng, lines, NUMBER, lambda old: repr(float(old) * 10.0 ** int(rng.integers(-reach, reach + 1)))
    )


def misspell(rng: np.random.Generator, lines: Lines) -> Lines:
    def spoil(word: str) -> str:
        k = int(rng.integers(len(word)))
        return [word[:k] + word[k + 1 :], word[:k] + word[k] + word[k:], word[::-1]][
            int(rng.integers(3))
        ] or "x"

    return _replace(rng, lines, WORD, spoil)


def exchange_words(rng: np.random.Generator, lines: Lines) -> Lines:
    """A word in place of another from somewhere else in the file."""
    words = WORD.findall("\n".join(lines))
    return _replace(rng, lines, WORD, lambda old: words[int(rng.integers(len(words)))])


def insert_text(rng: np.random.Generator, lines: Lines) -> Lines:
    k, out = _somewhere(rng, lines), list(lines)
    at = int(rng.integers(len(out[k]) + 1))
    out[k] = out[k][:at] + STRANGE_TEXTS[int(rng.integers(len(STRANGE_TEXTS)))] + out[k][at:]
    return out


def nest(rng: np.random.Generator, lines: Lines) -> Lines:
    """Brackets, a thousand deep."""
    k, out = _somewhere(rng, lines), list(lines)
    key = out[k].split(":")[0]
    out[k] = f"{key}: " + "[" * 1000 + "]" * 1000
    return out


def _replace(
    rng: np.random.Generator, lines: Lines, pattern: re.Pattern[str], new: Callable[[str], str]
) -> Lines:
    text = "\n".join(lines)
    found = list(pattern.finditer(text))
    if not found:
        return lines
    match = found[int(rng.integers(len(found)))]
    return (text[: match.start()] + new(match.group()) + text[match.end() :]).split("\n")


MUTATIONS: dict[str, Mutation] = {
    "drop line": drop_line, "double line": double_line, "swap lines": swap_lines, "indent line": indent_line,
    "cut off": cut_off, "change number": change_number, "scale number": scale_number, "misspell": misspell,
    "exchange words": exchange_words, "insert text": insert_text, "nest": nest,
}  # fmt: skip


def spoilt_text(seed: int, texts: dict[str, str]) -> tuple[str, str, str]:
    """Spoilt file number `seed`: which file, what was done, and the text; one to three mutations."""
    rng = np.random.default_rng([seed, 21771])
    names = sorted(texts)
    name = names[int(rng.integers(len(names)))]
    lines, done = texts[name].split("\n"), []
    for _ in range(int(rng.integers(1, 4))):
        kind = list(MUTATIONS)[int(rng.integers(len(MUTATIONS)))]
        lines = MUTATIONS[kind](rng, lines) or [""]
        done.append(kind)
    return name, ", ".join(done), "\n".join(lines)
