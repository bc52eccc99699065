"""Learned from 8,000 matches by `python -m training.renaissance_turns`, in two runs of 300 and 200 rounds."""

from ludoteca.games.renaissance.bot.mind import Weights

TUNED = Weights(
    card=1.557,
    engine=0.115,
    faith_made=0.272,
    resource=0.516,
    vault=0.317,
    near=0.876,
    ready=0.868,
    second=0.126,
    faith=1.021,
    discard=1.077,
    hand=0.302,
    scarce=0.000,
    points=1.097,
    engine_at_once=0.192,
    takes=0.552,
    made=0.722,
    tile=0.881,
    tile_step=0.077,
    tile_race=0.044,
    discount=2.374,
    depot=0.243,
    exchange=1.002,
    production=2.025,
    dear=2.564,
    turns_a_card=2.734,
    fading=4.335,
)
