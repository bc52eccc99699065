/** The records of Masters of Renaissance as they come over the line. Generated: `make types` writes it anew. */

export type Action =
  | KeepLeaders
  | ChooseResource
  | TakeLine
  | Store
  | BuyCard
  | UseBasic
  | UseSlot
  | UseLeader
  | Pay
  | TakeBack
  | PlayLeader
  | DiscardLeader
  | EndTurn;

/** Setup: keep these two of the four leaders dealt, named in the order in which they were dealt. */
export interface KeepLeaders {
  type: "KeepLeaders";
  first: string;
  second: string;
}

/** Setup: take one starting resource and put it into a basic depot (0 to 2, from the top). */
export interface ChooseResource {
  type: "ChooseResource";
  resource: Resource;
  depot: number;
}

export type Resource = "coins" | "servants" | "shields" | "stones";

/** Take a row (0 to 2, from the top) or a column (0 to 3, from the left) of the market. `exchange` names a
 *  resource for each white marble, in reading order, with two exchange leaders in play; with one or none
 *  it is empty. */
export interface TakeLine {
  type: "TakeLine";
  line: Line;
  index: number;
  exchange: Resource[];
}

export type Line = "column" | "row";

/** Placing: what this depot shall hold, of everything stored and taken. An empty depot has no resource.
 *  The depots are asked from the largest to the smallest, then those of leaders. What is in none of them
 *  at the end is given up. */
export interface Store {
  type: "Store";
  depot: number;
  resource: Resource | null;
  count: number;
}

/** Choose a development card that lies on top of its deck, and a slot for it; a `Pay` completes it. */
export interface BuyCard {
  type: "BuyCard";
  card: string;
  slot: number;
}

/** Produce with the basic power: two resources, in the order of RESOURCES, for one. */
export interface UseBasic {
  type: "UseBasic";
  spend: [Resource, Resource];
  gain: Resource;
}

/** Produce with the top card of a slot. */
export interface UseSlot {
  type: "UseSlot";
  slot: number;
}

/** Produce with a leader in play: one resource of choice, and faith. */
export interface UseLeader {
  type: "UseLeader";
  leader: string;
  gain: Resource;
}

/** Pay for the card or for all powers chosen: from the basic depots, the leaders' depots, the strongbox. */
export interface Pay {
  type: "Pay";
  warehouse: Stock;
  leaders: Stock;
  strongbox: Stock;
}

/** Numbers of resources. In JSON a list in this order, which is the order of RESOURCES. */
export type Stock = [coins: number, stones: number, servants: number, shields: number];

/** Undo the steps of the decision that is not complete yet. */
export interface TakeBack {
  type: "TakeBack";
}

/** Put a leader into play whose requirement is met. */
export interface PlayLeader {
  type: "PlayLeader";
  leader: string;
}

/** Discard a leader from the hand for one faith. */
export interface DiscardLeader {
  type: "DiscardLeader";
  leader: string;
}

/** The turn is over. */
export interface EndTurn {
  type: "EndTurn";
}

export type Event =
  | LeadersKept
  | ResourcesOpened
  | ResourceChosen
  | TurnBegan
  | Drafted
  | TakenBack
  | LineTaken
  | WarehouseArranged
  | CardBought
  | Produced
  | LeaderPlayed
  | LeaderDiscarded
  | FaithMoved
  | ReportHeld
  | LastRoundBegan
  | TokenTurned
  | Departed
  | Rejoined
  | Finished;

/** A player kept two leaders; the others see only that it happened (null for each card). */
export interface LeadersKept {
  type: "LeadersKept";
  seat: number;
  cards: (string | null)[];
}

/** Everybody at the table has kept leaders: starting resources are chosen now. */
export interface ResourcesOpened {
  type: "ResourcesOpened";
}

/** A player took a starting resource. */
export interface ResourceChosen {
  type: "ResourceChosen";
  seat: number;
  resource: Resource;
  depot: number;
}

/** A player's turn; the first one ends the setup. */
export interface TurnBegan {
  type: "TurnBegan";
  seat: number;
}

/** A step of a decision that is not complete yet: nothing has been moved or paid. */
export interface Drafted {
  type: "Drafted";
  seat: number;
  step: Step;
}

export type Step = Store | BuyCard | UseBasic | UseSlot | UseLeader;

/** The steps of the incomplete decision do not count. */
export interface TakenBack {
  type: "TakenBack";
  seat: number;
}

/** A player took a line of marbles, and the slide marble was pushed in. `taken` are the resources in
 *  reading order: they wait to be placed. */
export interface LineTaken {
  type: "LineTaken";
  seat: number;
  line: Line;
  index: number;
  taken: Resource[];
}

/** The waiting resources were placed; what found no place was given up. */
export interface WarehouseArranged {
  type: "WarehouseArranged";
  seat: number;
  depots: Depot[];
  discarded: Stock;
}

/** What lies in a depot; an empty one has no resource. */
export interface Depot {
  resource: Resource | null;
  count: number;
}

/** A player bought a card; `following` is the card that now lies on top of its deck. */
export interface CardBought {
  type: "CardBought";
  seat: number;
  card: string;
  slot: number;
  payment: Pay;
  following: string | null;
}

/** A player paid for some powers and put what they gave into the strongbox; the faith follows by itself. */
export interface Produced {
  type: "Produced";
  seat: number;
  powers: Power[];
  payment: Pay;
  gained: Stock;
  faith: number;
}

export type Power = UseBasic | UseSlot | UseLeader;

/** A leader came into play. */
export interface LeaderPlayed {
  type: "LeaderPlayed";
  seat: number;
  leader: string;
}

/** A leader was discarded from a hand. */
export interface LeaderDiscarded {
  type: "LeaderDiscarded";
  seat: number;
  leader: string;
}

/** Markers moved, all at once: the cells of all seats, and of the black cross in the solo game. */
export interface FaithMoved {
  type: "FaithMoved";
  cells: number[];
  cross: number | null;
}

/** A Vatican report (0 to 2) took place; `kept` says whose tile was turned up. */
export interface ReportHeld {
  type: "ReportHeld";
  report: number;
  kept: boolean[];
}

/** The end is in sight: the round is played to its end. */
export interface LastRoundBegan {
  type: "LastRoundBegan";
  seat: number;
  reason: "cards" | "faith";
}

/** Lorenzo turned a token. `removed` are cards taken off the grid, `following` what then lies on their
 *  deck. */
export interface TokenTurned {
  type: "TokenTurned";
  token: string;
  removed: string[];
  following: (string | null)[];
}

/** A player is absent: turns are skipped from now on, an incomplete decision does not count. */
export interface Departed {
  type: "Departed";
  seat: number;
}

/** An absent player is back. */
export interface Rejoined {
  type: "Rejoined";
  seat: number;
}

/** The match is over. */
export interface Finished {
  type: "Finished";
  outcome: Outcome;
}

/** How a match ended. `ranks` has one number for each seat, 1 for the winners (several when they share the
 *  victory); it is empty when the match was broken off. `scores` breaks the points down, a row of one
 *  number for each seat under each name, the last row being the total; it is empty in games without
 *  points. */
export interface Outcome {
  ranks: number[];
  reason: string;
  scores: Record<string, number[]>;
}

/** All that lies on the table. `first` holds the inkwell; `acted` says whether the main action of the turn
 *  is done. `marbles` are the three rows of the market one after the other, `grid` likewise, level 3
 *  first; `line` was taken last. `waiting` resources are to be placed by the current player, whose
 *  incomplete decision is `draft`. Solo: the cell of the black cross, the tokens turned since the last
 *  shuffle, the last one turned, and the cards they removed. */
export interface Tabletop {
  first: number;
  boards: Board[];
  marbles: Marble[];
  slide: Marble;
  grid: Pile[];
  phase: Phase;
  current: number;
  acted: boolean;
  line: TakeLine | null;
  waiting: Resource[];
  draft: Step[];
  reports: number;
  last_round: boolean;
  cross: number | null;
  turned: string[];
  token: string | null;
  removed: string[];
}

/** One player's side of the table. `dealt` are the four leaders of the setup, `hand` those kept and not
 *  yet used; null is a card that this view may not show. `due` starting resources are still to be chosen.
 *  `depots` are the three basic ones from the top, then one for each depot leader in the order played.
 *  `slots` list their cards bottom first. */
export interface Board {
  dealt: (string | null)[];
  kept: boolean;
  hand: (string | null)[];
  played: string[];
  discarded: string[];
  due: number;
  faith: number;
  tiles: Tile[];
  depots: Depot[];
  strongbox: Stock;
  slots: string[][];
  here: boolean;
}

export type Tile = "down" | "lost" | "up";

export type Marble = "blue" | "grey" | "purple" | "red" | "white" | "yellow";

/** A deck of the grid: its top card, and how many cards it has. */
export interface Pile {
  card: string | null;
  left: number;
}

export type Phase = "leaders" | "over" | "resources" | "turns";

export type View = Tabletop;

/** The options or preferences of a game that has none. */
export interface Nothing {}

export type Options = Nothing;

export type Preferences = Nothing;
