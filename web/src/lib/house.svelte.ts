/** What the house itself has to say to this page: a host's words to all, and that we are not in. */

class House {
  said = $state("");
  /** Why nothing is to be had here: no key, or kept out. */
  shut = $state.raw<{ code: string; reason: string } | null>(null);
}

export const house = new House();
