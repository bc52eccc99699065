/** What a person chose in this browser: nickname, language, theme, pace, sounds ... Kept in local storage. */

export type Language = "en" | "it";
export type Theme = "system" | "light" | "dark";
/** How long pieces take to their places; "off" puts them there at once. */
export type Pace = "slow" | "normal" | "fast" | "off";
export type BoardSize = "normal" | "large";
export const PACES: readonly Pace[] = ["slow", "normal", "fast", "off"];

const KEY = "ludoteca.settings";
export const NAME_LENGTH_MAX = 32;

interface Stored {
  nickname: string;
  language: Language;
  theme: Theme;
  pace: Pace;
  sounds: boolean;
  /** Ask once more before a move is sent. */
  confirm: boolean;
  size: BoardSize;
  /** Colours that people tell apart who see fewer of them. */
  distinct: boolean;
  /** Say it outside of the page, too, when it is one's turn; the browser has the last word. */
  notify: boolean;
}

function read(): Partial<Stored> {
  try {
    // "sound" is what "sounds" was called once.
    const { sound, ...stored } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored> & { sound?: boolean };
    return sound === undefined ? stored : { sounds: sound, ...stored };
  } catch {
    return {};
  }
}

const ANIMALS = ["Otter", "Heron", "Badger", "Finch", "Lynx", "Marten", "Newt", "Plover", "Robin", "Stoat", "Tern", "Vole"];

/** A name for somebody who has not chosen one: nobody has to type before playing. */
function someName(): string {
  const animal = ANIMALS[Math.floor(Math.random() * ANIMALS.length)] ?? "Otter";
  return `${animal}-${Math.floor(Math.random() * 900 + 100)}`;
}

class Settings {
  nickname = $state("");
  language = $state<Language>("en");
  theme = $state<Theme>("system");
  pace = $state<Pace>("normal");
  sounds = $state(false);
  confirm = $state(false);
  size = $state<BoardSize>("normal");
  distinct = $state(false);
  notify = $state(false);

  constructor() {
    const stored = read();
    this.nickname = stored.nickname || someName();
    this.language = stored.language ?? (navigator.language.startsWith("it") ? "it" : "en");
    this.theme = stored.theme ?? "system";
    this.pace = PACES.find((pace) => pace === stored.pace) ?? "normal";
    this.sounds = stored.sounds ?? false;
    this.confirm = stored.confirm ?? false;
    this.size = stored.size === "large" ? "large" : "normal";
    this.distinct = stored.distinct ?? false;
    this.notify = stored.notify ?? false;
    this.save();
  }

  save(): void {
    const { nickname, language, theme, pace, sounds, confirm, size, distinct, notify } = this;
    localStorage.setItem(KEY, JSON.stringify({ nickname, language, theme, pace, sounds, confirm, size, distinct, notify } satisfies Stored));
    const root = document.documentElement;
    root.lang = language;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    root.classList.toggle("distinct", distinct);
  }

  get dark(): boolean {
    if (this.theme !== "system") return this.theme === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  }

  toggleTheme(): void {
    this.theme = this.dark ? "light" : "dark";
    this.save();
  }
}

export const settings = new Settings();
