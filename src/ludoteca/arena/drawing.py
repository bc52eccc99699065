"""Ratings as a picture: a dot for each bot, with the interval that holds the truth 19 times in 20."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from ludoteca.arena.rating import Rating

WIDTH, LEFT, RIGHT, ROW, TOP = 640, 110, 70, 34, 48


def drawn(title: str, names: Sequence[str], rated: Sequence[Rating]) -> str:
    """An SVG that reads on light and dark ground."""
    low = min(one.elo - one.error for one in rated)
    high = max(one.elo + one.error for one in rated)
    span = max(high - low, 1.0)

    def across(elo: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (elo - low) / span

    rows = []
    for number, (name, one) in enumerate(zip(names, rated, strict=True)):
        y = TOP + ROW * number + ROW / 2
        rows.append(
            f'<text x="{LEFT - 12}" y="{y + 5:.0f}" text-anchor="end">{escape(name)}</text>'
            f'<path d="M{across(one.elo - one.error):.1f} {y:.0f}H{across(one.elo + one.error):.1f}" '
            f'stroke="#4b7fbf" stroke-width="3" stroke-linecap="round"/>'
            f'<circle cx="{across(one.elo):.1f}" cy="{y:.0f}" r="6" fill="#c2542d"/>'
            f'<text x="{WIDTH - RIGHT + 12}" y="{y + 5:.0f}">{one.elo:.0f}</text>'
        )
    height = TOP + ROW * len(names) + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="system-ui, sans-serif" font-size="15" fill="#808080">'
        f'<text x="12" y="26" font-size="17">{escape(title)}, Elo</text>{"".join(rows)}</svg>\n'
    )
