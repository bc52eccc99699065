/** What the page and the house tell each other: the messages on the line, and the answers of `/api`. */

import type { GameInfo as AnyGameInfo } from "./messages";

export type * from "./messages";

/** The most options the server sends along with a question. */
export const OPTIONS_MAX = 1000;

/** A game as `/api/v1/games` describes it. */
export interface GameInfo extends AnyGameInfo {
  options: Schema;
  preferences: Schema;
}

/** The part of JSON Schema that options and preferences use. */
export type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  title?: string;
  description?: string;
  type?: string;
  enum?: (string | number)[];
  anyOf?: Schema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  properties?: Record<string, Schema>;
};
