"""What Jupyter shows: small tables and drawings; and DataFrames."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

from ._graph import needed

MAX_DRAWN = 40
"""A drawing of more vertices would be a knot."""


def frame(rows: Sequence[Any], columns: Sequence[str], index: Sequence[Any] | None = None) -> Any:
    """Rows as a DataFrame of pandas."""
    return needed("pandas").DataFrame(list(rows), columns=list(columns), index=index)


def table(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str) -> str:
    """An HTML table; whatever stands in it is text."""

    def row(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return f"<table><caption>{html.escape(caption)}</caption>{row('th', header)}{body}</table>"


def drawing(
    nodes: Sequence[object],
    edges: Iterable[tuple[int, int]],
    chosen: Iterable[tuple[int, int]],
    caption: str,
    directed: bool,
    arrows: bool,
) -> str:
    """The vertices on a circle, with the chosen edges drawn over the others. Arrows, where they are wanted, go the way of the chosen edge."""
    n = len(nodes)
    if n > MAX_DRAWN:
        return f"<p>{html.escape(caption)} ({n} vertices, too many to draw)</p>"
    size, radius = 240 if n <= 16 else 400, 12
    middle, reach = size / 2, size / 2 - radius - 6

    def at(vertex: int) -> tuple[float, float]:
        angle = 2 * math.pi * vertex / max(n, 1) - math.pi / 2
        return middle + reach * math.cos(angle), middle + reach * math.sin(angle)

    def line(tail: int, head: int, style: str) -> str:
        (x1, y1), (x2, y2) = at(tail), at(head)
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (x2 - x1) / length * radius, (y2 - y1) / length * radius
        return f'<line x1="{x1 + dx:.1f}" y1="{y1 + dy:.1f}" x2="{x2 - dx:.1f}" y2="{y2 - dy:.1f}" {style}/>'

    picked = [(tail, head) for tail, head in chosen if tail != head]
    taken = set(picked) | {(head, tail) for tail, head in picked if not directed}
    others = [(tail, head) for tail, head in edges if tail != head and (tail, head) not in taken]
    parts = [line(*ends, 'stroke="#bbb"') for ends in others]
    marker = ' marker-end="url(#tiebreak-arrow)"' if arrows else ""
    parts += [line(*ends, f'stroke="#06c" stroke-width="2.5"{marker}') for ends in picked]
    for vertex in range(n):
        x, y = at(vertex)
        name, short = html.escape(str(nodes[vertex])), html.escape(str(nodes[vertex])[:6])
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="#fff" stroke="#333"><title>{name}</title></circle>')
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="10" text-anchor="middle" dominant-baseline="central">{short}</text>'
        )
    arrow = (
        '<defs><marker id="tiebreak-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" '
        'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#06c"/></marker></defs>'
    )
    picture = f'<svg width="{size}" height="{size}" xmlns="http://www.w3.org/2000/svg">{arrow}{"".join(parts)}</svg>'
    return f"<figure>{picture}<figcaption>{html.escape(caption)}</figcaption></figure>"
