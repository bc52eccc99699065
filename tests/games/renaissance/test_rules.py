"""One rule each: the cases of the reference, then what they leave out."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.games.renaissance.positions import CASES, FACTS, full_decks, position, stock

from ludoteca.core import Refused, Seat, Setup
from ludoteca.games.renaissance import actions, data, events, rules
from ludoteca.games.renaissance.actions import BuyCard, Pay, Store, UseBasic, UseLeader, UseSlot
from ludoteca.games.renaissance.cards.scoring import outcome
from ludoteca.games.renaissance.data import CARDS, LEADERS, Stock
from ludoteca.games.renaissance.state import State
from ludoteca.games.renaissance.wire import messages, orders, pictures

A, B, C, D = map(Seat, range(4))


# The cases of the reference


def _orders(state: State, action: dict[str, Any]) -> tuple[actions.Action, ...]:
    """The action of a case, translated like a client's message."""
    tabletop = state.tabletop
    board = tabletop.boards[tabletop.current]
    fields = {key: value for key, value in action.items() if key not in ("do", "resources")}
    match action["do"]:
        case "placeResources":
            reply = msgspec.convert({"username": "", **fields}, messages.ResourcesManageReply, strict=False)
            return orders.arrange(board, tabletop.waiting, reply)
        case "startingResources":
            return orders.choose_resources(board, fields["warehouse"])
        case "endTurn":
            return (actions.EndTurn(),)
        case "lorenzoToken":
            return (actions.EndTurn(),)
    kind = {
        "takeFromMarket": messages.RowColumnSelection,
        "buyDevelopmentCard": messages.BuyDevelopmentCard,
        "useProduction": messages.UseProduction,
        "playLeaderCard": messages.PlayLeaderCard,
        "discardLeaderCard": messages.DiscardLeaderCard,
    }[action["do"]]
    if "card" in fields:
        fields["leaderCard"] = fields.pop("card")
    message = msgspec.convert({"type": kind.__struct_config__.tag, "username": "", **fields}, kind)
    return orders.parameters(tabletop, board, message)


def _prepared(case: dict[str, Any]) -> State:
    action = case["action"]
    match action["do"]:
        case "placeResources":
            waiting = tuple(resource.lower() for resource in action["resources"])
            return position(case["given"], waiting=waiting, acted=True)
        case "startingResources":
            state = position(case["given"], phase="resources")
            seat = state.tabletop.current
            board = replace(state.tabletop.boards[seat], due=data.START_RESOURCES[seat])
            boards = (*state.tabletop.boards[:seat], board, *state.tabletop.boards[seat + 1 :])
            state.tabletop = replace(state.tabletop, boards=boards)
            rules.ask(state)
            return state
        case "endTurn" | "lorenzoToken":
            state = position(case["given"], acted=True)
            if "token" in action:
                state.stack = (action["token"],)
            return state
        case _:
            return position(case["given"])


def _perform(state: State, case: dict[str, Any]) -> list[events.Event]:
    action = case["action"]
    names = [player["name"] for player in case["given"]["players"]]
    log: list[events.Event] = []
    if action["do"] == "moveFaith":
        gains = {names.index(name): count for name, count in action["moves"].items()}
        rules._move_faith(state, log, gains)
        return log
    seat = Seat(state.tabletop.current)
    steps = _orders(state, action)
    trial = state.clone()
    for step in steps:
        log += rules.apply(trial, seat, step)
    for field in State.__struct_fields__:
        setattr(state, field, getattr(trial, field))
    return log


def _check(state: State, log: list[events.Event], case: dict[str, Any]) -> None:
    players = [player["name"] for player in case["given"]["players"]]
    boards = dict(zip(players, state.tabletop.boards, strict=True))
    by_type: dict[type, Any] = {type(event): event for event in log}
    for key, wanted in case["expect"].items():
        match key:
            case "ok" | "error":
                pass
            case "warehouse":
                for name, layout in wanted.items():
                    assert pictures.warehouse(boards[name].depots) == layout
            case "strongbox":
                for name, counts in wanted.items():
                    assert boards[name].strongbox == stock(counts)
            case "faith":
                assert {name: boards[name].faith for name in wanted} == wanted
            case "tiles":
                assert {name: list(boards[name].tiles) for name in wanted} == wanted
            case "slots":
                assert {name: [list(s) for s in boards[name].slots] for name in wanted} == wanted
            case "hand" | "played":
                assert {name: list(getattr(boards[name], key)) for name in wanted} == wanted
            case "reports":
                assert state.tabletop.reports == wanted
            case "blackCross":
                assert state.tabletop.cross == wanted
            case "lastRound":
                assert state.tabletop.last_round == wanted
            case "gameOver":
                assert (state.outcome is not None) == wanted
            case "lorenzoWon":
                assert state.outcome is not None
                assert (not state.outcome.winners) == wanted
            case "next":
                if wanted is not None:
                    assert players[state.tabletop.current] == wanted
                assert bool(state.questions) == (wanted is not None)
            case "discarded":
                assert by_type[events.WarehouseArranged].discarded == stock(wanted)
            case "resources":
                assert pictures.resources(by_type[events.LineTaken].taken) == wanted
            case "market":
                assert msgspec.to_builtins(pictures.market(state.tabletop)) == {"type": "market", **wanted}
            case "bought":
                assert by_type[events.CardBought].card == wanted
            case "nextCard":
                assert by_type[events.CardBought].following == wanted
            case "removed":
                assert list(by_type[events.TokenTurned].removed) == wanted
            case "decks":
                for deck, cards in wanted.items():
                    colour, level = deck.lower().split("-")
                    place = data.LEVELS.index(int(level)) * 4 + data.COLOURS.index(colour)
                    assert list(reversed(state.decks[place])) == cards
            case "reshuffle":
                assert (len(state.stack) == len(data.TOKENS)) == wanted
            case _:
                pytest.fail(f"nobody compares {key}")


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']}: {case['title']}" for case in CASES])
def test_case(case):
    state = _prepared(case)
    if case["action"]["do"] == "score":
        result = outcome(state.tabletop, "")
        names = [player["name"] for player in case["given"]["players"]]
        assert dict(zip(names, result.scores["total"], strict=True)) == case["expect"]["score"]
        assert [names[seat] for seat in result.winners] == case["expect"]["winners"]
        return
    before = msgspec.json.encode(state)
    if case["expect"]["ok"]:
        log = _perform(state, case)
    else:
        with pytest.raises(Refused):
            _perform(state, case)
        log = []
        assert msgspec.json.encode(state) == before
    _check(state, log, case)


# Facts


def test_all_development_cards_are_those_of_the_reference():
    assert len(CARDS) == len(FACTS["developmentCards"]) == 48
    for fact in FACTS["developmentCards"]:
        production = fact["production"]
        assert CARDS[fact["id"]] == data.Card(
            fact["color"].lower(),
            fact["level"],
            fact["victoryPoints"],
            stock(fact["cost"]),
            stock(production["input"]),
            stock(production["output"]),
            production["faith"],
        )


def test_all_leaders_are_those_of_the_reference():
    assert len(LEADERS) == len(FACTS["leaderCards"]) == 16
    for fact in FACTS["leaderCards"]:
        requirement = fact["requirement"]
        assert LEADERS[fact["id"]] == data.Leader(
            fact["kind"],
            fact["resource"].lower(),
            fact["victoryPoints"],
            tuple(
                data.Requirement(need["color"].lower(), need["count"], need["level"] or 0)
                for need in requirement["cards"]
            ),
            stock(requirement["resources"]),
        )


def test_marbles_tokens_and_the_faith_track_are_those_of_the_reference():
    assert {fact["color"].lower(): fact["count"] for fact in FACTS["marbles"]} == data.MARBLES
    for fact in FACTS["marbles"]:
        assert (fact["resource"] or "").lower() == data.GIVES.get(fact["color"].lower(), "")
    for fact in FACTS["soloTokens"]:
        colour = fact["color"] and fact["color"].lower()
        assert data.TOKENS[fact["id"]] == data.Token(colour, fact["blackCross"], fact["reshuffle"])
    track = FACTS["faithTrack"]
    assert tuple(cell["pointsAtEnd"] for cell in track["cells"]) == data.CELL_POINTS
    assert (
        tuple(
            data.Report(fact["sectionStart"], fact["popeSpace"], fact["tilePoints"])
            for fact in track["reports"]
        )
        == data.REPORTS
    )
    assert [fact["resources"] for fact in FACTS["setup"]] == list(data.START_RESOURCES)
    assert [fact["faith"] for fact in FACTS["setup"]] == list(data.START_FAITH)


# Setup


def started(seats: int, seed: int = 5) -> State:
    return rules.start(Setup(seats, seed, None))[0]


def keep(state: State, seat: int) -> list[events.Event]:
    return rules.apply(state, Seat(seat), state.questions[Seat(seat)].choices[0])


def in_order(state: State) -> list[int]:
    seats = len(state.tabletop.boards)
    return [(state.tabletop.first + place) % seats for place in range(seats)]


def test_setup_deals_every_card_and_marble_once():
    state = started(4)
    dealt = [card for board in state.tabletop.boards for card in board.dealt]
    assert len(set(dealt)) == 16
    assert sorted(card for deck in state.decks for card in deck) == sorted(CARDS)
    marbles = [*state.tabletop.marbles, state.tabletop.slide]
    assert {marble: marbles.count(marble) for marble in data.MARBLES} == data.MARBLES


def test_a_deck_holds_the_cards_of_one_colour_and_level():
    state = started(2)
    for place, deck in enumerate(state.decks):
        for card in deck:
            assert CARDS[card].level == data.LEVELS[place // 4]
            assert CARDS[card].colour == data.COLOURS[place % 4]


def test_later_seats_are_compensated():
    state = started(4)
    boards = [state.tabletop.boards[seat] for seat in in_order(state)]
    assert [board.due for board in boards] == [0, 1, 1, 2]
    assert [board.faith for board in boards] == [0, 0, 1, 1]


def test_the_first_player_is_drawn_by_lot():
    assert {started(4, seed).tabletop.first for seed in range(40)} == {0, 1, 2, 3}


def test_everybody_chooses_leaders_at_once_and_resources_after_the_last_of_them():
    state = started(3)
    assert {question.kind for question in state.questions.values()} == {"leaders"}
    keep(state, 2)
    keep(state, 0)
    assert set(state.questions) == {B}
    log = keep(state, 1)
    assert events.ResourcesOpened() in log
    first = in_order(state)[0]
    assert set(state.questions) == {0, 1, 2} - {first}
    for seat in list(state.questions):
        log = rules.apply(state, seat, actions.ChooseResource("coins", 0))
    assert log[-1] == events.TurnBegan(first)
    assert set(state.questions) == {first}


def test_two_starting_resources_keep_to_the_depots():
    state = started(4)
    for seat in range(4):
        keep(state, seat)
    last = Seat(in_order(state)[3])
    rules.apply(state, last, actions.ChooseResource("coins", 0))
    options = state.questions[last].choices
    assert actions.ChooseResource("coins", 0) not in options
    assert actions.ChooseResource("coins", 1) not in options
    assert actions.ChooseResource("stones", 0) not in options
    assert actions.ChooseResource("stones", 2) in options


# Steps


RICH = {"COINS": 3, "STONES": 3, "SERVANTS": 3, "SHIELDS": 3}


def rich(**player: Any) -> State:
    given = {"players": [{"name": "A", "strongbox": RICH, **player}, {"name": "B"}], "decks": full_decks()}
    return position(given)


def test_a_purchase_changes_nothing_before_it_is_paid():
    state = rich()
    before = state.tabletop
    log = rules.apply(state, A, BuyCard("D001", 0))
    assert log == [events.Drafted(A, BuyCard("D001", 0))]
    assert replace(state.tabletop, draft=()) == before
    assert state.questions[A].kind == "pay"
    rules.apply(state, A, Pay(strongbox=Stock(shields=2)))
    assert state.tabletop.boards[A].slots == (("D001",), (), ())
    assert state.questions[A].kind == "end"


def test_a_half_made_decision_can_be_taken_back_three_times_in_a_turn():
    state = rich()
    for _ in range(rules.TAKE_BACKS):
        rules.apply(state, A, UseBasic(("coins", "coins"), "stones"))
        rules.apply(state, A, actions.TakeBack())
        assert state.tabletop.draft == ()
    rules.apply(state, A, BuyCard("D001", 0))
    with pytest.raises(Refused, match="too often"):
        rules.apply(state, A, actions.TakeBack())
    rules.apply(state, A, Pay(strongbox=Stock(shields=2)))
    rules.apply(state, A, actions.EndTurn())
    assert state.take_backs == rules.TAKE_BACKS, "the next turn has its own"


def test_every_way_to_split_a_payment_is_an_option():
    warehouse = {"0": ["COINS"], "1": ["SHIELDS", "SHIELDS"], "2": []}
    state = rich(warehouse=warehouse)
    rules.apply(state, A, BuyCard("D001", 0))
    pays = [option for option in state.questions[A].choices if isinstance(option, Pay)]
    assert {(pay.warehouse.shields, pay.strongbox.shields) for pay in pays} == {(2, 0), (1, 1), (0, 2)}


def test_a_power_that_the_others_leave_nothing_for_is_no_option():
    given = {
        "players": [{"name": "A", "slots": [["D001"], [], []], "strongbox": {"COINS": 2}}, {"name": "B"}]
    }
    state = position(given)
    rules.apply(state, A, UseBasic(("coins", "coins"), "stones"))
    assert UseSlot(0) not in state.questions[A].choices
    with pytest.raises(Refused, match="cannot pay 3 coins"):
        rules.apply(state, A, UseSlot(0))


def test_a_power_works_once_in_a_production():
    state = rich(played=["L016"], slots=[["D001", "D017"], [], []])
    rules.apply(state, A, UseLeader("L016", "stones"))
    with pytest.raises(Refused, match="once"):
        rules.apply(state, A, UseLeader("L016", "coins"))


def test_placing_asks_the_largest_depot_first_and_passes_over_what_must_stay_empty():
    state = position({"players": [{"name": "A"}, {"name": "B"}]}, waiting=("coins", "stones"), acted=True)
    assert {option.depot for option in state.questions[A].choices} == {2}
    rules.apply(state, A, Store(2, "coins", 1))
    assert {option.depot for option in state.questions[A].choices if isinstance(option, Store)} == {1}
    log = rules.apply(state, A, Store(1, "stones", 1))
    assert isinstance(log[-1], events.WarehouseArranged)
    assert log[-1].discarded == data.NOTHING


def test_a_line_that_gives_nothing_leaves_nothing_to_place():
    marbles = [["WHITE"] * 4, ["RED", "BLUE", "BLUE", "GREY"], ["GREY", "YELLOW", "YELLOW", "PURPLE"]]
    given = {
        "players": [{"name": "A"}, {"name": "B"}],
        "market": {"marbles": marbles, "freeMarble": "PURPLE"},
    }
    state = position(given)
    rules.apply(state, A, actions.TakeLine("row", 0))
    assert state.questions[A].kind == "end"


def test_with_two_exchange_leaders_every_combination_is_an_option():
    state = rich(played=["L010", "L012"])
    takes = [o for o in state.questions[A].choices if isinstance(o, actions.TakeLine)]
    row = [take.exchange for take in takes if (take.line, take.index) == ("row", 1)]
    assert sorted(row) == [(a, b) for a in ("coins", "shields") for b in ("coins", "shields")]


def test_the_turn_goes_on_until_its_player_ends_it():
    state = rich(hand=["L001", "L002"])
    with pytest.raises(Refused, match="main action"):
        rules.apply(state, A, actions.EndTurn())
    rules.apply(state, A, UseBasic(("coins", "coins"), "stones"))
    rules.apply(state, A, Pay(strongbox=Stock(coins=2)))
    rules.apply(state, A, actions.DiscardLeader("L001"))
    rules.apply(state, A, actions.DiscardLeader("L002"))
    assert state.questions[A].choices == (actions.EndTurn(),)
    rules.apply(state, A, actions.EndTurn())
    assert set(state.questions) == {B}


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (BuyCard("D002", 5), "no slot 5"),
        (BuyCard("D017", 0), "level 1 on top"),
        (BuyCard("D033", 0), "level 2 on top"),
        (BuyCard("D999", 0), "does not lie"),
        (UseSlot(1), "no card on slot 1"),
        (UseLeader("L001", "coins"), "no production leader"),
        (UseBasic(("stones", "coins"), "coins"), "order coins, stones"),
        (actions.TakeLine("column", 4), "no column 4"),
        (actions.TakeLine("row", 0, ("coins",)), "no two exchange leaders"),
        (actions.PlayLeader("L005"), "requirement of L005"),
        (actions.PlayLeader("L009"), "not in your hand"),
        (actions.DiscardLeader("L009"), "not in your hand"),
        (actions.TakeBack(), "nothing to take back"),
        (Store(0, "coins", 1), "no answer"),
    ],
)
def test_a_refusal_says_why(action, reason):
    with pytest.raises(Refused, match=reason):
        rules.apply(rich(hand=["L005"]), A, action)


# Lorenzo


def test_the_stack_of_tokens_is_shuffled_anew_after_its_seventh_kind():
    state = started(1)
    keep(state, 0)
    seen: list[str] = []
    while not state.outcome and len(seen) < 12:
        question = state.questions[A]
        take = next((o for o in question.choices if isinstance(o, actions.TakeLine)), None)
        leave = next((o for o in question.choices if o == Store(getattr(o, "depot", -1))), None)
        end = next((o for o in question.choices if isinstance(o, actions.EndTurn)), None)
        choice: Any = end or leave or take
        log = rules.apply(state, A, choice)
        seen += [event.token for event in log if isinstance(event, events.TokenTurned)]
        if seen and seen[-1] == "T007":
            assert len(state.stack) == 7
            assert state.tabletop.turned == ()
        assert set(state.stack) | set(state.tabletop.turned) == set(data.TOKENS)


def test_buying_the_last_card_of_a_colour_loses_the_solo_game_even_as_the_seventh():
    slots = [["D001", "D017", "D033"], ["D002", "D018"], ["D003"]]
    decks = {"PURPLE-1": ["D006"], "YELLOW-1": ["D004"], "GREEN-1": ["D005"], "BLUE-2": ["D019"]}
    state = position({"players": [{"name": "A", "slots": slots, "strongbox": {"COINS": 4}}], "decks": decks})
    rules.apply(state, A, BuyCard("D019", 2))
    rules.apply(state, A, Pay(strongbox=Stock(coins=4)))
    assert state.outcome is not None
    assert state.outcome.winners == ()


def test_the_red_marble_can_win_the_solo_game_before_anything_is_placed():
    given = {"players": [{"name": "A", "faith": 23, "tiles": ["up", "up", "down"]}], "decks": full_decks()}
    state = position(given)
    rules.apply(state, A, actions.TakeLine("row", 1))
    assert state.outcome is not None
    assert state.outcome.winners == (A,)
    assert state.tabletop.boards[0].tiles[2] == "up"


def test_discards_that_bring_the_black_cross_to_the_end_lose_at_once():
    given = {"players": [{"name": "A"}], "blackCross": 23, "decks": full_decks(), "reports": 2}
    state = position(given, waiting=("coins",), acted=True)
    rules.apply(state, A, Store(2))
    rules.apply(state, A, Store(1))
    rules.apply(state, A, Store(0))
    assert state.outcome is not None
    assert state.outcome.reason == "Lorenzo reached the end of the faith track"
    assert state.outcome.ranks == (2,)


# Absence


def table(*players: dict[str, Any], current: str = "A", **fields: Any) -> State:
    named = [{"name": name, **player} for name, player in zip("ABCD", players, strict=False)]
    return position({"players": named, "current": current, "decks": full_decks()}, **fields)


def test_turns_of_an_absent_player_are_skipped():
    state = table({}, {}, {}, acted=True)
    rules.leave(state, B)
    rules.apply(state, A, actions.EndTurn())
    assert set(state.questions) == {C}


def test_the_turn_of_a_player_who_leaves_ends_at_once():
    state = table({}, {})
    assert rules.leave(state, A) == [events.Departed(A), events.TurnBegan(B)]


def test_resources_that_wait_count_as_given_up_when_their_player_leaves():
    held = {"warehouse": {"0": ["SERVANTS"], "1": [], "2": []}}
    state = table(held, {"faith": 7}, {}, waiting=("coins", "stones"), acted=True)
    rules.apply(state, A, Store(2, "coins", 1))
    log = rules.leave(state, A)
    depots = state.tabletop.boards[A].depots
    assert log == [
        events.Departed(A),
        events.WarehouseArranged(A, depots, Stock(coins=1, stones=1)),
        events.FaithMoved((0, 9, 2), None),
        events.ReportHeld(0, (False, True, False)),
        events.TurnBegan(B),
    ]
    assert pictures.warehouse(depots) == {"0": ["SERVANTS"], "1": [], "2": []}
    assert not state.tabletop.waiting
    assert not state.tabletop.draft


def test_a_half_made_purchase_does_not_count_when_its_player_leaves():
    state = table({"strongbox": RICH}, {})
    rules.apply(state, A, BuyCard("D001", 0))
    rules.leave(state, A)
    assert state.tabletop.draft == ()
    assert state.tabletop.boards[A].strongbox == Stock(3, 3, 3, 3)


def test_the_setup_goes_on_without_the_absent_and_can_be_finished_later():
    state = started(3)
    absent = Seat(in_order(state)[1])
    rules.leave(state, absent)
    for seat in list(state.questions):
        keep(state, seat)
    for seat in list(state.questions):
        rules.apply(state, seat, state.questions[seat].choices[0])
    first = in_order(state)[0]
    assert set(state.questions) == {first}
    rules.rejoin(state, absent)
    assert state.questions[absent].kind == "leaders"
    keep(state, absent)
    assert state.questions[absent].kind == "resources"
    rules.apply(state, absent, state.questions[absent].choices[0])
    assert set(state.questions) == {first}
    assert state.tabletop.boards[absent].ready


def test_turns_of_a_player_without_a_complete_setup_are_skipped():
    state = table({}, {}, {}, acted=True)
    boards = list(state.tabletop.boards)
    boards[B] = replace(boards[B], due=1)
    state.tabletop = replace(state.tabletop, boards=tuple(boards))
    rules.apply(state, A, actions.EndTurn())
    assert state.tabletop.current == C
    assert state.questions[B].kind == "resources"


def test_with_everybody_gone_the_match_stands_still():
    state = table({}, {})
    rules.leave(state, B)
    rules.leave(state, A)
    assert state.questions == {}
    assert state.outcome is None


def test_the_first_to_return_has_the_turn():
    state = table({}, {})
    rules.leave(state, B)
    rules.leave(state, A)
    assert rules.rejoin(state, B) == [events.Rejoined(B), events.TurnBegan(B)]
    assert set(state.questions) == {B}


def test_the_last_one_to_leave_goes_on_with_the_same_turn():
    state = table({}, acted=True)
    rules.leave(state, A)
    assert state.questions == {}
    assert rules.rejoin(state, A) == [events.Rejoined(A)]
    assert state.questions[A].kind == "end"


def test_whoever_returns_waits_for_the_turn_to_come_round():
    state = table({}, {}, {})
    rules.leave(state, C)
    assert rules.rejoin(state, C) == [events.Rejoined(C)]
    assert set(state.questions) == {A}


def test_leaving_in_the_last_round_can_end_the_match():
    state = table({}, {}, current="B", last_round=True)
    rules.leave(state, B)
    assert state.outcome is not None
    assert state.questions == {}


@pytest.mark.parametrize(("back", "ends"), [(A, True), (C, False)])
def test_with_everybody_gone_in_the_last_round_only_who_has_not_had_it_gets_a_turn(back, ends):
    """Everyone has had the same number of turns; those of the absent are skipped."""
    state = table({}, {}, {}, current="B", last_round=True)
    for seat in (A, C, B):
        rules.leave(state, seat)
    assert state.outcome is None
    log = rules.rejoin(state, back)
    if ends:
        assert state.outcome is not None
        assert isinstance(log[-1], events.Finished)
    else:
        assert log == [events.Rejoined(C), events.TurnBegan(C)]


def test_the_last_one_to_leave_finishes_the_last_turn_of_the_last_round():
    state = table({}, {}, current="B", last_round=True, acted=True)
    rules.leave(state, A)
    rules.leave(state, B)
    rules.rejoin(state, B)
    assert state.questions[B].kind == "end"
    rules.apply(state, B, actions.EndTurn())
    assert state.outcome is not None


def test_faith_and_reports_count_for_the_absent_too():
    state = table({}, {"faith": 7, "connected": False}, {"faith": 5}, waiting=("coins",), acted=True)
    for depot in (2, 1, 0):
        rules.apply(state, A, Store(depot))
    assert state.tabletop.boards[B].faith == 8
    assert [board.tiles[0] for board in state.tabletop.boards] == ["lost", "up", "up"]


def test_leaving_twice_or_after_the_end_changes_nothing():
    state = table({}, {})
    rules.leave(state, B)
    assert rules.leave(state, B) == []
    assert rules.rejoin(state, A) == []


def test_the_last_round_is_told_with_who_brought_it_about_and_how():
    """Also when that is somebody else than the one whose turn it is: what A leaves behind is a step for B."""
    state = table({}, {"faith": data.LAST_CELL - 1}, {}, waiting=("coins",), acted=True)
    log = rules.leave(state, A)
    assert [event for event in log if isinstance(event, events.LastRoundBegan)] == [
        events.LastRoundBegan(B, "faith")
    ]
    assert state.tabletop.last_round
