/** The action bar above the board: one sentence, at most one more fact, and the choices that have no place on it. */

export interface Choice {
  label: string;
  act(): void;
  /** The one that most people press next. */
  primary?: boolean;
  disabled?: boolean;
  /** Takes a step back instead of deciding anything. */
  undo?: boolean;
  key?: string;
}

export class Bar {
  ask = $state("");
  detail = $state("");
  choices = $state.raw<Choice[]>([]);

  show(ask: string, detail = "", choices: Choice[] = []): void {
    this.ask = ask;
    this.detail = detail;
    this.choices = choices;
  }

  clear(): void {
    this.show("");
  }
}
