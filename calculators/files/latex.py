"""The results as a LaTeX table, to be set with the package booktabs."""

from __future__ import annotations

import re

from ..scoring import Scale
from .answer import Cell, FilesAnswer, signature_of
from .comparison import METHODS
from .notes import place

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # In OT1, which is what LaTeX takes where nothing else is asked for, these places of the font
    # hold other characters. Its only straight quotation mark is the typewriter's.
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"{\ttfamily\char34}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
# Pairs that fonts draw as one character, such as a dash of "--", part here.
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=[`?!])(?=`)|(?<=')(?=')|(?<=,)(?=,)")


def escaped(text: str) -> str:
    """``text`` as LaTeX prints it; line ends and control characters become spaces."""
    written = "".join(_SPECIAL.get(character, character) for character in _on_one_line(text))
    return _LIGATURE.sub("{}", written)


def _remark(text: str) -> str:
    # LaTeX reads nothing of it, and a signature is copied from here as it stands.
    return f"% {_on_one_line(text)}"


def _on_one_line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def latex_table(answer: FilesAnswer) -> str:
    """Systems by metrics with 95 % intervals; a dagger where a system differs clearly from the
    baseline, the best in bold."""
    heads = [_head(label, choice.metric.scale) for choice, label in answer.heads]
    rows = [
        # After a line end LaTeX takes "[" or "*" for an argument of it, but not behind a group.
        " & ".join(["{}" + escaped(name), *(_cell(answer, number, cell) for cell in cells)])
        + r" \\"
        for number, (name, cells) in enumerate(answer.table)
    ]
    lines = [
        _remark(" ".join(_settings(answer))),
        *(_remark(signature_of(answer.sheet, choice)) for choice, _ in answer.heads),
        *(_remark(f"Note on {place(note)}: {note.text}") for note in answer.notes),
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * len(heads)}}}",
        r"\toprule",
        " & ".join(["System", *heads]) + r" \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{_caption(answer)}}}",
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _head(label: str, scale: Scale) -> str:
    arrow = r"$\uparrow$" if scale.higher_is_better else r"$\downarrow$"
    return f"{escaped(label)} {arrow}"


def _cell(answer: FilesAnswer, system: int, cell: Cell) -> str:
    standing, scale = cell.standing, cell.choice.metric.scale
    if standing.value is None:
        return "--"
    value = _figure(standing.value, scale)
    value = rf"\textbf{{{value}}}" if cell.is_best else value
    baseline = answer.comparison.settings.baseline
    pair = None
    if baseline is not None:
        pair = answer.comparison.pair(cell.choice.key, baseline, system)
    is_marked = pair and pair.is_clear and not answer.is_held(cell.choice)
    mark = r"$^{\dagger}$" if is_marked else ""
    if standing.low is None or standing.high is None:
        return value + mark
    low, high = _figure(standing.low, scale), _figure(standing.high, scale)
    return rf"{value}{mark} {{\scriptsize [{low}, {high}]}}"


def _figure(value: float, scale: Scale) -> str:
    return f"{value * scale.multiplier:.{scale.digits}f}"


def _settings(answer: FilesAnswer) -> list[str]:
    settings = answer.comparison.settings
    return [
        f"{METHODS[settings.method]}, {settings.resamples} resamples, seed {settings.seed};",
        "Holm's correction over the pairs of systems within a metric.",
    ]


def _caption(answer: FilesAnswer) -> str:
    settings = answer.comparison.settings
    segments = len(answer.material)
    words = f"{segments} segment{'' if segments == 1 else 's'}, 95\\,\\% bootstrap intervals."
    if answer.splitting:
        words += f" {escaped(answer.splitting)}"
    if answer.comparison.pairs and settings.baseline is not None:
        baseline = escaped(answer.sheet.systems[settings.baseline])
        method = METHODS[settings.method].lower()
        words += rf" $\dagger$: differs from {baseline} ($p < 0.05$, {method}, Holm-corrected)."
    return words
