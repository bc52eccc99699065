"""What bots advise, in lines for a terminal."""

from collections.abc import Sequence

from ludoteca.core.notices import Advice

# So much of how it may go on is told.
STEPS = 6


def told(advice: Sequence[Advice], names: Sequence[str]) -> list[str]:
    """Each answer that was compared with its chance and its reason, then how the best of them may go on."""
    lines = [f"{_percent(one)}  {one.line[0].text}: {one.words.get('en', '')}".rstrip(": ") for one in advice]
    after = advice[0].line[1 : STEPS + 1] if advice else ()
    if after:
        lines.append(f"Then perhaps {'; '.join(f'{names[step.seat]}: {step.text}' for step in after)}.")
    return lines


def _percent(one: Advice) -> str:
    return f"{100 * one.chance:3.0f} %"
