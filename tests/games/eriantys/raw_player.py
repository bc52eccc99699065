"""A player that knows the protocol page and the rules, and nothing of Ludoteca: messages in, messages out."""

import random
from typing import Any

COLOURS = ["green", "red", "yellow", "pink", "blue"]
STUDENT_CARDS = (1, 7, 11)
ONLY_BEFORE_WALK = (4, 6, 8, 9)

Message = dict[str, Any]


class RawPlayer:
    """Plays at random to the end, and errs now and then to see that it is asked again."""

    def __init__(
        self, name: str, game: Message, *, opens: bool = False, seed: int = 0, errs: float = 0.0
    ) -> None:
        self.name = name
        self.game = game
        self.opens = opens
        self.dice = random.Random(seed)
        self.errs = errs
        self.id = ""
        self.board: Message = {}
        # The boards told by GameStart and UpdateGameBoard, for later comparison.
        self.boards: list[Message] = []
        self.heard: list[str] = []
        self.token = ""
        self.erred = False
        self.errors = 0
        self.winner: str | None = None

    def answer(self, message: Message) -> list[Message]:
        """What to send back for a message."""
        self.heard.append(message["type"])
        handler = getattr(self, f"on_{message['type']}", None)
        return (handler(message) or []) if handler else []

    # Setup.

    def on_NotifyPlayerIdMessage(self, message: Message) -> list[Message]:
        self.id = message["playerID"]
        if self.opens:
            return [{"type": "NewGameMessage", "playerID": self.id, "gameInfo": self.game}]
        return [{"type": "AskGameListMessage", "playerID": self.id}]

    def on_GameListMessage(self, message: Message) -> list[Message]:
        assert self.game in message["gameList"], message
        return [{"type": "SelectGameMessage", "playerID": self.id, "gameName": self.game["gameName"]}]

    def on_AskNickname(self, message: Message) -> list[Message]:
        assert message["isFirstRequest"]
        return [{"type": "SetNickname", "playerID": self.id, "nickname": self.name, "token": self.token}]

    def on_AskTowerColor(self, message: Message) -> list[Message]:
        return [
            {
                "type": "SetTowerColor",
                "playerID": self.id,
                "color": self.dice.choice(message["possibleColors"]),
            }
        ]

    # Pictures.

    def on_GameStart(self, message: Message) -> None:
        self.token = message.get("token", self.token)
        assert message["firstPlayer"] == message["game"]["firstPlayer"]
        self._look(message["game"])
        self.boards.append(message["game"])

    def on_UpdateGameBoard(self, message: Message) -> None:
        self._look(message["gameInfo"])
        self.boards.append(message["gameInfo"])

    def on_ShowEndGame(self, message: Message) -> None:
        self.winner = message["winnerNickname"]
        assert self.board["phase"] == "ended"

    def _look(self, board: Message) -> None:
        """The sums that every board must keep."""
        self.board = board
        places = [group["students"] for group in (*board["islands"], *board["clouds"])]
        places += [card["students"] for card in board["characters"] if card["students"] is not None]
        places += [player[room] for player in board["players"] for room in ("entrance", "diningRoom")]
        assert sum(sum(students.values()) for students in places) + board["bagCount"] == 130
        for player in board["players"]:
            standing = sum(
                group["size"] for group in board["islands"] if group["tower"] == player["towerColor"]
            )
            total = player["towers"] + standing
            assert total == (8 if len(board["players"]) == 2 else 6) or (player["towers"] == 0 and standing)
        coins = board["coinSupply"] + sum(player["coins"] for player in board["players"])
        coins += sum(card["coinOnCard"] for card in board["characters"])
        assert coins == (20 if board["gameMode"] == "Expert" else 0)
        assert [group["id"] for group in board["islands"]] == list(range(len(board["islands"])))
        assert sorted(tile for group in board["islands"] for tile in group["tiles"]) == list(range(12))

    @property
    def me(self) -> Message:
        """The own school."""
        return next(player for player in self.board["players"] if player["nickname"] == self.name)

    # Turns.

    def on_AskAssistantCard(self, message: Message) -> list[Message]:
        self._look(message["game"])
        assert self.board["currentPlayer"] == self.name
        possible = message["possibleCards"]
        assert possible == sorted(possible, key=lambda card: card["value"])
        cards = self.dice.choice(possible)
        if self._err():
            cards = {"value": self.dice.choice([0, 11, -3])}
        return [{"type": "SetAssistantCard", "nickname": self.name, "assistantCard": cards}]

    def on_AskAction(self, message: Message) -> list[Message]:
        assert self.board["currentPlayer"] == self.name
        assert message["isFirstRequest"] is not self.erred
        possible = message["possibleActions"]
        if self._err():
            return [self._action(self.dice.choice(self._mistakes(possible)))]
        if "CHOOSE_CHARACTER" in possible and self.dice.random() < 0.4:
            cards = [card["id"] for card in self.board["characters"] if self._usable(card, possible)]
            if cards:
                return [
                    self._action({"actionType": "CHOOSE_CHARACTER", "character": self.dice.choice(cards)})
                ]
        kinds = [kind for kind in possible if kind != "CHOOSE_CHARACTER"]
        choices = {kind: self._choices(kind) for kind in kinds}
        kind = self.dice.choice([kind for kind, found in choices.items() if found])
        return [self._action({"actionType": kind, **self.dice.choice(choices[kind])})]

    def _err(self) -> bool:
        self.erred = not self.erred and self.dice.random() < self.errs
        self.errors += self.erred
        return self.erred

    def _mistakes(self, possible: list[str]) -> list[Message]:
        """Actions that cannot be legal now."""
        others = {"MOVE_MOTHER_NATURE", "CHOOSE_CLOUD", "END", "DOUBLE_INFLUENCE", "NO_INFLUENCE"} - set(
            possible
        )
        return [
            *({"actionType": kind, "steps": 1, "cloud": 1, "island": 0} for kind in sorted(others)),
            {"actionType": "MOVE_STUDENT_TO_ISLAND", "color": "red", "island": 12},
            {"actionType": "MOVE_STUDENT_TO_ISLAND", "color": "violet", "island": 0},
            {"actionType": "MOVE_STUDENT_TO_DININGROOM"},
            {"actionType": "MOVE_MOTHER_NATURE", "steps": 8},
            {"actionType": "CHOOSE_CHARACTER", "character": 13},
            {"actionType": "FLY"},
        ]

    def _action(self, action: Message) -> Message:
        return {"type": "SetAction", "nickname": self.name, "action": action}

    def _usable(self, card: Message, possible: list[str]) -> bool:
        """The last column of the page's table of characters."""
        if card["cost"] > self.me["coins"]:
            return False
        number = card["id"]
        walked = "CHOOSE_CLOUD" in possible or "END" in possible
        if number in ONLY_BEFORE_WALK and walked:
            return False
        if number in STUDENT_CARDS and not any(card["students"].values()):
            return False
        if number == 5:
            return bool(card["noEntry"] > 0)
        if number == 10:
            return any(self.me["diningRoom"].values())
        if number == 11:
            return any(
                count and self.me["diningRoom"][colour] < 10 for colour, count in card["students"].items()
            )
        return True

    def _choices(self, kind: str) -> list[Message]:
        """All parameters that are legal for a kind of action."""
        entrance = [colour for colour in COLOURS if self.me["entrance"][colour]]
        dining = self.me["diningRoom"]
        islands = range(len(self.board["islands"]))
        active = self.board["activeCharacter"] or {"id": 0}
        on_card: list[str] = []
        for card in self.board["characters"]:
            if card["id"] == active["id"] and card["students"]:
                on_card = [colour for colour in COLOURS if card["students"][colour]]
        match kind:
            case "MOVE_STUDENT_TO_ISLAND":
                return [{"color": colour, "island": island} for colour in entrance for island in islands]
            case "MOVE_STUDENT_TO_DININGROOM":
                return [{"color": colour} for colour in entrance if dining[colour] < 10]
            case "MOVE_MOTHER_NATURE":
                steps = self.me["lastAssistant"]["steps"] + (2 if active["id"] == 4 else 0)
                return [{"steps": count} for count in range(1, steps + 1)]
            case "CHOOSE_CLOUD":
                return [
                    {"cloud": cloud["id"]}
                    for cloud in self.board["clouds"]
                    if any(cloud["students"].values())
                ]
            case "END":
                return [{}]
            case "STUDENT_FROM_CARD_TO_ISLAND":
                return [{"color": colour, "island": island} for colour in on_card for island in islands]
            case "DOUBLE_INFLUENCE" | "NO_INFLUENCE":
                return [{"island": island} for island in islands]
            case "STUDENT_FROM_CARD_TO_ENTRANCE":
                pairs = [
                    {"colorFromCard": one, "colorFromEntrance": other}
                    for one in on_card
                    for other in entrance
                ]
                return [*pairs, {"stop": True}]
            case "COLOR_NO_INFLUENCE" | "STUDENT_FROM_DINING_TO_BAG":
                return [{"color": colour} for colour in COLOURS]
            case "STUDENT_FROM_ENTRANCE_TO_DINING":
                pairs = [
                    {"colorFromEntrance": one, "colorFromDining": other}
                    for one in entrance
                    for other in COLOURS
                    if dining[other] and (one == other or dining[one] < 10)
                ]
                return [*pairs, {"stop": True}]
            case "STUDENT_FROM_CARD_TO_DINING":
                return [{"color": colour} for colour in on_card if dining[colour] < 10]
        raise AssertionError(f"nobody said what {kind} is")
