/** What the house itself has to say to this page: a host's words to all. */

class House {
  said = $state("");
}

export const house = new House();
