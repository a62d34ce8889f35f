"""The table as one HTML page, without anything from elsewhere. The documentation shows what is in its `<main>`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from math import inf
from typing import Any

from .finding import digits, share

STYLE = """
.validation table { border-collapse: collapse; width: 100%; font-size: 0.85em; margin: 0.4em 0 0.8em; }
.validation th, .validation td { padding: 0.25em 0.6em; text-align: left; vertical-align: top;
  border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.validation td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.validation th.n { text-align: right; }
.validation tr.way th { background: color-mix(in srgb, currentColor 6%, transparent); font-weight: 600; }
.validation .pass { color: #1a7f37; font-weight: 600; } .validation .fail { color: #cf222e; font-weight: 700; }
.validation .source, .validation .cannot { font-size: 0.9em; opacity: 0.85; margin: 0.2em 0; }
.validation .scroll { overflow-x: auto; }
"""
PAGE_STYLE = """
:root { color-scheme: light dark; } body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em;
padding: 0 1em; }
"""
HEAD = ("quantity", "reference", "ours", "error", "tolerance", "used", "the tolerance comes from", "")
NUMBERS = range(1, 6)


def page(data: Mapping[str, Any]) -> str:
    """A whole page from the data of `export.as_data`; the data itself is in it as JSON."""
    held = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Wheelwork: validation</title><style>{PAGE_STYLE}</style></head><body>\n<h1>Validation</h1>\n"
        f"<main>{table(data)}</main>\n"
        f'<script type="application/json" id="validation-data">{held}</script>\n</body></html>\n'
    )


def table(data: Mapping[str, Any]) -> str:
    """What the page and the documentation show."""
    cases = data["cases"]
    ways = [way for case in cases for way in case["ways"]]
    findings = [finding for way in ways for finding in way["findings"]]
    failed = sum(not way["passed"] for way in ways)
    words = "all pass" if not failed else f"{failed} fail"
    counts = f"{len(cases)} cases, {len(ways)} runs, {len(findings)} quantities: {words}."
    if not data["complete"]:
        counts += " Stopped before the end: the cases that follow were not run."
    links = ", ".join(f'<a href="#case-{case["name"]}">{escape(case["title"])}</a>' for case in cases)
    parts = [f'<div class="validation"><style>{STYLE}</style><p><b>{counts}</b></p><p>{links}</p>']
    return "\n".join([*parts, *(_case(case) for case in cases), "</div>"])


def _case(case: Mapping[str, Any]) -> str:
    passed = all(way["passed"] for way in case["ways"])
    parts = [
        f'<section id="case-{case["name"]}"><h3>{escape(case["title"])} {_verdict(passed)}</h3>',
        f'<p class="source"><code>{case["name"]}</code>: {escape(case["source"])}</p>',
        '<div class="scroll"><table><thead><tr>',
        *(f"<th{_class(k)}>{word}</th>" for k, word in enumerate(HEAD)),
        "</tr></thead><tbody>",
    ]
    for way in case["ways"]:
        parts.append(f'<tr class="way"><th colspan="{len(HEAD)}">{escape(way["way"])}</th></tr>')
        parts += [_row(finding) for finding in way["findings"]]
        if way["error"]:
            parts.append(f'<tr><td colspan="{len(HEAD)}" class="fail">{escape(way["error"])}</td></tr>')
    parts.append("</tbody></table></div>")
    parts += [
        f'<p class="cannot">Not run: {escape(refusal["way"])}, because {escape(refusal["why"])}.</p>'
        for refusal in case["refusals"]
    ]
    return "\n".join([*parts, "</section>"])


def _row(finding: Mapping[str, Any]) -> str:
    error, tolerance = (inf if finding[name] is None else finding[name] for name in ("error", "tolerance"))
    shown = [inf if finding[name] is None else finding[name] for name in ("reference", "ours")]
    quantity = finding["quantity"] + (f" [{finding['unit']}]" if finding["unit"] else "")
    if finding["count"] > 1:
        quantity += f" (worst of {finding['count']})"
    numbers = [
        *(digits(value, error) for value in shown),
        f"{error:.1e}",
        f"{tolerance:.1e}",
        share(error, tolerance),
    ]
    cells = [quantity, *numbers, finding["origin"]]
    texts = [f"<td{_class(k)}>{escape(cell)}</td>" for k, cell in enumerate(cells)]
    return f"<tr>{''.join(texts)}<td>{_verdict(finding['passed'])}</td></tr>"


def _class(column: int) -> str:
    return ' class="n"' if column in NUMBERS else ""


def _verdict(passed: bool) -> str:
    return f'<span class="{"pass" if passed else "fail"}">{"pass" if passed else "FAIL"}</span>'
