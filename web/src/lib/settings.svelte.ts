/** What a person chose in this browser: nickname, language, theme, sound. Kept in local storage. */

export type Language = "en" | "it";
export type Theme = "system" | "light" | "dark";

const KEY = "ludoteca.settings";
export const NAME_LENGTH_MAX = 32;

interface Stored {
  nickname: string;
  language: Language;
  theme: Theme;
  sound: boolean;
}

function read(): Partial<Stored> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>;
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
  sound = $state(false);

  constructor() {
    const stored = read();
    this.nickname = stored.nickname || someName();
    this.language = stored.language ?? (navigator.language.startsWith("it") ? "it" : "en");
    this.theme = stored.theme ?? "system";
    this.sound = stored.sound ?? false;
    this.save();
  }

  save(): void {
    const { nickname, language, theme, sound } = this;
    localStorage.setItem(KEY, JSON.stringify({ nickname, language, theme, sound } satisfies Stored));
    const root = document.documentElement;
    root.lang = language;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
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
