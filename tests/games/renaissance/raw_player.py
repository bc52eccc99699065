"""A player that knows the protocol page and the printed cards, and nothing of Ludoteca:
messages in, messages out."""

import random
from typing import Any

from tests.games.renaissance.positions import FACTS

CARDS = {card["id"]: card for card in FACTS["developmentCards"]}
LEADERS = {card["id"]: card for card in FACTS["leaderCards"]}
RESOURCES = ["COINS", "STONES", "SERVANTS", "SHIELDS"]
PLACES = [1, 2, 3, 2, 2]
GIVES = {marble["color"]: marble["resource"] for marble in FACTS["marbles"]}

Message = dict[str, Any]


class RawPlayer:
    """Plays to the end: buys what it can pay, produces now and then, else goes to the market."""

    def __init__(self, name: str, seed: int = 0, seats: int = 0) -> None:
        self.name = name
        self.seats = seats
        self.dice = random.Random(seed)
        self.hand: list[str] = []
        self.played: list[str] = []
        self.warehouse: dict[str, list[str]] = {"0": [], "1": [], "2": []}
        self.strongbox = dict.fromkeys(RESOURCES, 0)
        self.slots: dict[str, list[str]] = {"0": [], "1": [], "2": []}
        self.grid: list[list[str | None]] = []
        self.marbles: list[list[str]] = []
        self.plan: Message | None = None
        self.token = ""
        self.scores: dict[str, int] | None = None
        self.turns = 0
        # How often the house has refused: a player that knows the rules is never refused.
        self.errors: list[Message] = []

    def answer(self, message: Message) -> list[Message]:
        """What to send back for a message."""
        handler = getattr(self, f"on_{message['type']}", None)
        return (handler(message) or []) if handler else []

    # Connection.

    def on_ping(self, _: Message) -> list[Message]:
        return [{"type": "pong"}]

    def on_numberOfPlayersRequest(self, message: Message) -> list[Message]:
        assert message["max"] == 4
        return [{"type": "numberOfPlayersReply", "number": self.seats}]

    def on_error(self, message: Message) -> None:
        self.errors.append(message)

    # Pictures.

    def on_players(self, message: Message) -> None:
        self.token = message.get("token", self.token)

    def on_market(self, message: Message) -> None:
        self.marbles = message["marbles"]

    def on_devCardGrid(self, message: Message) -> None:
        self.grid = message["grid"]

    def on_setupUpdate(self, message: Message) -> None:
        mine = message["leaderCards"][self.name]
        assert None not in mine
        assert all(set(hand) <= {None} for name, hand in message["leaderCards"].items() if name != self.name)
        self.hand = [card for card in mine if card not in self.played]
        self.warehouse = message["warehouses"][self.name]

    def on_reconnectionUpdate(self, message: Message) -> None:
        assert message["username"] == self.name
        self.hand = message["leaderCards"]
        self.played = message["leaderCardsPlayed"][self.name]
        self.warehouse = message["warehouses"][self.name]
        self.strongbox = message["strongboxes"][self.name]
        self.slots = message["devCardSlots"][self.name]

    def on_marketUpdate(self, message: Message) -> None:
        self.marbles = message["marbles"]
        self._take_over(message)

    def on_useProductionUpdate(self, message: Message) -> None:
        self._take_over(message)

    def on_buyDevelopmentCardUpdate(self, message: Message) -> None:
        row, column = 3 - message["level"], ["PURPLE", "YELLOW", "GREEN", "BLUE"].index(message["color"])
        assert self.grid[row][column] == message["card"]
        self.grid[row][column] = message["nextCard"]
        if message["username"] == self.name:
            self.slots[str(message["slot"])].append(message["card"])
        self._take_over(message)

    def on_playLeaderCardUpdate(self, message: Message) -> None:
        if message["username"] == self.name:
            self.hand.remove(message["leaderCard"])
            self.played.append(message["leaderCard"])
        self._take_over(message)

    def on_discardLeaderCardUpdate(self, message: Message) -> None:
        if message["username"] == self.name:
            self.hand.remove(message["leaderCard"])

    def on_lorenzoUpdate(self, message: Message) -> None:
        self.grid = message["grid"]

    def on_finalScore(self, message: Message) -> None:
        self.scores = message["scores"]

    def _take_over(self, message: Message) -> None:
        if message["username"] == self.name:
            self.warehouse = message.get("warehouse", self.warehouse)
            self.strongbox = message.get("strongbox", self.strongbox)

    # Setup.

    def on_leaderCardsRequest(self, message: Message) -> list[Message]:
        assert len(message["leaderCards"]) == 4
        self.hand = self.dice.sample(message["leaderCards"], 2)
        return [{"type": "leaderCardsReply", "username": self.name, "leaderCards": self.hand}]

    def on_resourcesRequest(self, message: Message) -> list[Message]:
        layout: dict[str, list[str]] = {"0": [], "1": [], "2": []}
        for place, resource in enumerate(self.dice.sample(RESOURCES, message["number"])):
            layout[str(2 - place)] = [resource]
        return [{"type": "resourcesReply", "username": self.name, "warehouse": layout}]

    # Turns.

    def on_possibleActions(self, message: Message) -> list[Message]:
        action, parameters = self._decide(message["actions"])
        self.plan = parameters
        return [{"type": "actionReply", "action": action}]

    def on_actionResponse(self, message: Message) -> list[Message]:
        if self.plan is None:
            assert message["action"] == "ENDTURN"
            self.turns += 1
            return []
        plan, self.plan = self.plan, None
        return [{**plan, "username": self.name}]

    def _decide(self, possible: list[str]) -> tuple[str, Message | None]:
        for leader in self.hand if "PLAYLEADERCARD" in possible else []:
            if self._meets(leader):
                return "PLAYLEADERCARD", {"type": "playLeaderCard", "leaderCard": leader}
        if self.hand and self.turns > 8:
            return "DISCARDLEADERCARD", {"type": "discardLeaderCard", "leaderCard": self.hand[0]}
        if "ENDTURN" in possible:
            return "ENDTURN", None
        purchase = self._purchase()
        if purchase:
            return "BUYDEVELOPMENTCARD", purchase
        production = self._production()
        if production and self.dice.random() < 0.4:
            return "USEPRODUCTION", production
        return "MARKETACTION", self._line()

    def _owned(self) -> dict[str, int]:
        counts = dict(self.strongbox)
        for held in self.warehouse.values():
            for resource in held:
                counts[resource] += 1
        return counts

    def _meets(self, leader: str) -> bool:
        requirement = LEADERS[leader]["requirement"]
        owned = self._owned()
        cards = [CARDS[card] for slot in self.slots.values() for card in slot]
        return all(owned[resource] >= count for resource, count in requirement["resources"].items()) and all(
            sum(c["color"] == need["color"] and need["level"] in (None, c["level"]) for c in cards)
            >= need["count"]
            for need in requirement["cards"]
        )

    def _payment(self, cost: dict[str, int]) -> Message:
        payment: dict[str, dict[str, int]] = {"warehouse": {}, "leaderDepots": {}, "strongbox": {}}
        for resource, count in cost.items():
            for depot, held in self.warehouse.items():
                taken = min(count, held.count(resource))
                if taken:
                    payment["warehouse" if int(depot) < 3 else "leaderDepots"][resource] = taken
                    count -= taken
            if count:
                payment["strongbox"][resource] = count
        return payment

    def _purchase(self) -> Message | None:
        owned = self._owned()
        for row in self.grid:
            for card in row:
                if card is None:
                    continue
                facts = CARDS[card]
                cost = dict(facts["cost"])
                for leader in self.played:
                    resource = LEADERS[leader]["resource"]
                    if LEADERS[leader]["kind"] == "discount" and cost.get(resource):
                        cost[resource] -= 1
                if any(owned[resource] < count for resource, count in cost.items()):
                    continue
                for slot, cards in self.slots.items():
                    if len(cards) == facts["level"] - 1:
                        return {
                            "type": "buyDevelopmentCard",
                            "color": facts["color"],
                            "level": facts["level"],
                            "slot": int(slot),
                            "payment": self._payment(cost),
                        }
        return None

    def _production(self) -> Message | None:
        owned = self._owned()
        cost: dict[str, int] = {}
        slots: list[int] = []
        for slot, cards in self.slots.items():
            if cards:
                needs = CARDS[cards[-1]]["production"]["input"]
                both = {r: cost.get(r, 0) + needs.get(r, 0) for r in {*cost, *needs}}
                if all(owned[resource] >= count for resource, count in both.items()):
                    cost, slots = both, [*slots, int(slot)]
        leaders, gains = [], []
        for index, leader in enumerate(c for c in self.played if LEADERS[c]["kind"] == "production"):
            resource = LEADERS[leader]["resource"]
            if owned[resource] > cost.get(resource, 0):
                cost[resource] = cost.get(resource, 0) + 1
                leaders.append(index)
                gains.append(self.dice.choice(RESOURCES))
        board: list[str] = []
        spare = [r for r in RESOURCES for _ in range(owned[r] - cost.get(r, 0))]
        if len(spare) > 4:
            board = [*self.dice.sample(spare, 2), self.dice.choice(RESOURCES)]
            for resource in board[:2]:
                cost[resource] = cost.get(resource, 0) + 1
        if not (slots or leaders or board):
            return None
        return {
            "type": "useProduction",
            "payment": self._payment(cost),
            "board": board,
            "devSlots": slots,
            "leaders": leaders,
            "leaderGain": gains,
        }

    def _line(self) -> Message:
        row = self.dice.random() < 0.5
        index = self.dice.randrange(3 if row else 4)
        line = self.marbles[index] if row else [marbles[index] for marbles in self.marbles]
        choices = [LEADERS[c]["resource"] for c in self.played if LEADERS[c]["kind"] == "exchange"]
        exchange = [self.dice.choice(choices) for m in line if m == "WHITE"] if choices else []
        return {"type": "rowColumnSelection", "index": index, "row": row, "exchange": exchange}

    def on_resourcesManageRequest(self, message: Message) -> list[Message]:
        """Most of a kind into the largest depot; the depots of leaders first."""
        pool = dict.fromkeys(RESOURCES, 0)
        for resource in [*message["resources"], *(r for held in self.warehouse.values() for r in held)]:
            pool[resource] += 1
        layout: dict[str, list[str]] = {depot: [] for depot in self.warehouse}
        depots = [LEADERS[c]["resource"] for c in self.played if LEADERS[c]["kind"] == "depot"]
        for place, resource in enumerate(depots):
            count = min(2, pool[resource])
            layout[str(3 + place)] = [resource] * count
            pool[resource] -= count
        for depot, (resource, count) in zip(
            (2, 1, 0), sorted(pool.items(), key=lambda p: -p[1]), strict=False
        ):
            count = min(count, PLACES[depot])
            layout[str(depot)] = [resource] * count
            pool[resource] -= count
        discard = {resource: count for resource, count in pool.items() if count}
        return [
            {"type": "resourcesManageReply", "username": self.name, "warehouse": layout, "discard": discard}
        ]
