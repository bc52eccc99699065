"""What is measured about choices is what a client could read: nothing is lost in any form."""

import itertools

from msgspec.structs import asdict, astuple

from ludoteca import games
from ludoteca.bench import choices


def test_every_form_holds_all_choices_in_order_and_every_game_is_measured():
    for game in games.load_all():
        for asked in choices.questions(game, 40):
            by_row = choices.rows(asked.choices)
            spelled = [(type(one).__struct_config__.tag, astuple(one)) for one in asked.choices]
            assert [(tag, row) for tag, run in by_row for row in run] == spelled
            runs = [list(run) for _, run in itertools.groupby(asked.choices, type)]
            for run, told in zip(runs, choices.columns(asked.choices), strict=True):
                for name, values in told.items():
                    assert name == "type" or values == [asdict(one)[name] for one in run]
    assert len(list(choices.figures(20))) == len(games.names()) + 1
