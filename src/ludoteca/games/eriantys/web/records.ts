/** The records of Eriantys as they come over the line. Generated: `make types` writes it anew. */

export type Action =
  | PlayAssistant
  | MoveToIsland
  | MoveToDining
  | Walk
  | TakeCloud
  | EndTurn
  | BuyCharacter
  | SendFromCard
  | ResolveIsland
  | ForbidIsland
  | SwapWithCard
  | SilenceColour
  | SwapWithDining
  | SeatFromCard
  | ReturnColour
  | StopSwapping;

/** Play this assistant, face up. */
export interface PlayAssistant {
  type: "PlayAssistant";
  value: number;
}

/** Send a student of the entrance to an island. */
export interface MoveToIsland {
  type: "MoveToIsland";
  colour: Colour;
  island: number;
}

export type Colour = "blue" | "green" | "pink" | "red" | "yellow";

/** Seat a student of the entrance in the dining room. */
export interface MoveToDining {
  type: "MoveToDining";
  colour: Colour;
}

/** Walk mother nature clockwise; a group of islands is one step. */
export interface Walk {
  type: "Walk";
  steps: number;
}

/** Take the students of a cloud into the entrance, which ends the turn. */
export interface TakeCloud {
  type: "TakeCloud";
  cloud: number;
}

/** End the turn in a round without clouds to choose from. */
export interface EndTurn {
  type: "EndTurn";
}

/** Pay for a character; what it needs to know is asked next. */
export interface BuyCharacter {
  type: "BuyCharacter";
  character: number;
}

/** Monk: send a student of the card to an island. */
export interface SendFromCard {
  type: "SendFromCard";
  colour: Colour;
  island: number;
}

/** Herald: resolve this island. */
export interface ResolveIsland {
  type: "ResolveIsland";
  island: number;
}

/** Herbalist: put a no-entry tile on this island. */
export interface ForbidIsland {
  type: "ForbidIsland";
  island: number;
}

/** Jester: take a student of the card and give one of the entrance for it. */
export interface SwapWithCard {
  type: "SwapWithCard";
  taken: Colour;
  given: Colour;
}

/** Mushroom seller: students of this colour give no influence this turn. */
export interface SilenceColour {
  type: "SilenceColour";
  colour: Colour;
}

/** Minstrel: seat a student of the entrance and take one of the dining room for it. */
export interface SwapWithDining {
  type: "SwapWithDining";
  seated: Colour;
  taken: Colour;
}

/** Princess: seat a student of the card in the dining room. */
export interface SeatFromCard {
  type: "SeatFromCard";
  colour: Colour;
}

/** Thief: everybody returns up to three students of this colour to the bag. */
export interface ReturnColour {
  type: "ReturnColour";
  colour: Colour;
}

/** Jester and Minstrel: no further pair. */
export interface StopSwapping {
  type: "StopSwapping";
}

export type Event =
  | RoundBegan
  | CloudsFilled
  | AssistantPlayed
  | OrderFixed
  | TurnBegan
  | StudentSent
  | StudentSeated
  | CoinEarned
  | ProfessorTaken
  | MotherNatureWalked
  | InfluenceCounted
  | NoEntryLifted
  | IslandConquered
  | IslandsJoined
  | CloudTaken
  | CharacterBought
  | CardRefilled
  | NoEntryPlaced
  | CardSwapped
  | DiningSwapped
  | ColourSilenced
  | ColourReturned
  | CharacterDone
  | LastRoundAnnounced
  | GameEnded
  | BrokenOff;

/** A planning phase begins; the assistants of the last round are put away, and `first` plays first. */
export interface RoundBegan {
  type: "RoundBegan";
  round: number;
  first: number;
}

/** Students were drawn for the clouds; `short` when the bag did not fill them all. */
export interface CloudsFilled {
  type: "CloudsFilled";
  clouds: Students[];
  short: boolean;
}

export type Students = [number, number, number, number, number];

/** A player played an assistant. */
export interface AssistantPlayed {
  type: "AssistantPlayed";
  seat: number;
  value: number;
}

/** All assistants are played; the action turns follow in this order. */
export interface OrderFixed {
  type: "OrderFixed";
  order: number[];
}

/** It is this player's turn, in the planning or the action phase. */
export interface TurnBegan {
  type: "TurnBegan";
  seat: number;
}

/** A student went to an island. */
export interface StudentSent {
  type: "StudentSent";
  seat: number;
  colour: Colour;
  island: number;
  origin: Origin;
}

export type Origin = "card" | "entrance";

/** A student was seated in the player's dining room. */
export interface StudentSeated {
  type: "StudentSeated";
  seat: number;
  colour: Colour;
  origin: Origin;
}

/** A student on a coin seat brought a coin of the supply. */
export interface CoinEarned {
  type: "CoinEarned";
  seat: number;
}

/** A player took control of a professor. */
export interface ProfessorTaken {
  type: "ProfessorTaken";
  seat: number;
  colour: Colour;
}

/** Mother nature walked and stopped on an island. */
export interface MotherNatureWalked {
  type: "MotherNatureWalked";
  seat: number;
  steps: number;
  island: number;
}

/** The influence on an island was worked out, one number for each team. */
export interface InfluenceCounted {
  type: "InfluenceCounted";
  island: number;
  influence: number[];
}

/** A no-entry tile stopped the resolution and went back to the Herbalist. */
export interface NoEntryLifted {
  type: "NoEntryLifted";
  island: number;
}

/** `built` towers of this colour now stand on an island; `returned` of the former owner's went home. */
export interface IslandConquered {
  type: "IslandConquered";
  island: number;
  tower: Tower;
  built: number;
  former: Tower | null;
  returned: number;
}

export type Tower = "black" | "gray" | "white";

/** Two neighbouring groups became one: the second, which follows clockwise, was added to the first. The
 *  islands are numbered as before the joining; the new group has the lower of the two numbers. */
export interface IslandsJoined {
  type: "IslandsJoined";
  first: number;
  second: number;
}

/** A player took the students of a cloud into the entrance. */
export interface CloudTaken {
  type: "CloudTaken";
  seat: number;
  cloud: number;
}

/** A player paid for a character; for the first buyer one of the coins stays on the card. With `choosing`
 *  the character asks for something before the turn goes on. */
export interface CharacterBought {
  type: "CharacterBought";
  seat: number;
  character: number;
  price: number;
  choosing: boolean;
}

/** A student was drawn from the bag onto a character card. */
export interface CardRefilled {
  type: "CardRefilled";
  character: number;
  colour: Colour;
}

/** A no-entry tile was put on an island. */
export interface NoEntryPlaced {
  type: "NoEntryPlaced";
  seat: number;
  island: number;
}

/** A player took a student of the card and gave one of the entrance. */
export interface CardSwapped {
  type: "CardSwapped";
  seat: number;
  taken: Colour;
  given: Colour;
}

/** A player seated a student of the entrance and took one of the dining room. */
export interface DiningSwapped {
  type: "DiningSwapped";
  seat: number;
  seated: Colour;
  taken: Colour;
}

/** Students of this colour give no influence this turn. */
export interface ColourSilenced {
  type: "ColourSilenced";
  seat: number;
  colour: Colour;
}

/** Every player returned so many students of this colour to the bag. */
export interface ColourReturned {
  type: "ColourReturned";
  seat: number;
  colour: Colour;
  returned: number[];
}

/** What a bought character asked for is settled, and the turn goes on. */
export interface CharacterDone {
  type: "CharacterDone";
  seat: number;
  character: number;
}

/** The game ends with this round. */
export interface LastRoundAnnounced {
  type: "LastRoundAnnounced";
  reason: "assistants" | "bag";
}

/** The game is over; one rank for each seat. */
export interface GameEnded {
  type: "GameEnded";
  ranks: number[];
  reason: string;
}

/** A player left for good, and the match with them. */
export interface BrokenOff {
  type: "BrokenOff";
  seat: number;
}

/** The whole table. `moved` and `walked` tell how far the turn of `current` is. Seats of one team are
 *  congruent modulo the number of teams: white, black, white, black. */
export interface Tabletop {
  mode: Mode;
  round: number;
  phase: Phase;
  first: number;
  current: number;
  order: number[];
  moved: number;
  walked: boolean;
  last_round: boolean;
  clouds_short: boolean;
  mother_nature: number;
  islands: Island[];
  clouds: Students[];
  professors: (number | null)[];
  players: Player[];
  bag: Students;
  supply: number;
  characters: CharacterCard[];
  active: Active | null;
}

export type Mode = "Basic" | "Expert";

export type Phase = "action" | "ended" | "planning";

/** A group of one or more islands; its tiles are numbered clockwise and never change their place. */
export interface Island {
  tiles: number[];
  students: Students;
  tower: Tower | null;
  no_entry: number;
}

/** A player's school. `towers` are at home, with the team's if there are teams; `hand` is in order. */
export interface Player {
  tower: Tower;
  towers: number;
  coins: number;
  hand: number[];
  assistant: number | null;
  entrance: Students;
  dining: Students;
}

/** A character in play, with its present price; `students` or `no_entry` are null where it holds none. */
export interface CharacterCard {
  character: number;
  price: number;
  coin: boolean;
  students: Students | null;
  no_entry: number | null;
}

/** The character of this turn: the pairs swapped, the colour named, and whether it waits for a choice. */
export interface Active {
  character: number;
  seat: number;
  swaps: number;
  colour: Colour | null;
  choosing: boolean;
}

export type View = Tabletop;

/** What a table of Eriantys agrees on. */
export interface Options {
  mode: Mode;
}

/** What a player of Eriantys may wish for. */
export interface Preferences {
  tower: Tower | null;
}
