/** Whose chat this browser does not show, by name, until it is closed: for oneself alone, and nobody is told. */

const KEY = "ludoteca.muted";

function read(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as string[];
  } catch {
    return [];
  }
}

class Muted {
  #names = $state.raw(read());

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  set(name: string, muted: boolean): void {
    this.#names = [...this.#names.filter((one) => one !== name), ...(muted ? [name] : [])];
    sessionStorage.setItem(KEY, JSON.stringify(this.#names));
  }

  /** Of some people those who are muted. */
  of(names: string[]): string[] {
    return names.filter((name) => this.has(name));
  }
}

export const muted = new Muted();
