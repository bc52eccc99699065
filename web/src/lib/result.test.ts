import { describe, expect, it } from "vitest";
import { en, list } from "./en";
import { course, headline, margin, summary } from "./result";

describe("how a match ended", () => {
  const won = { ranks: [2, 1], reason: "", scores: {} };

  it("names the winners", () => {
    expect(headline(won, ["Alba", "Bruno"], en.result, list)).toBe("Bruno wins");
    expect(headline({ ...won, ranks: [1, 1] }, ["Alba", "Bruno"], en.result, list)).toBe("Alba and Bruno win");
    expect(headline({ ...won, ranks: [2] }, ["Alba"], en.result, list)).toBe("Nobody wins");
    expect(headline({ ...won, ranks: [] }, ["Alba"], en.result, list)).toBe("The match was broken off");
  });

  it("is told by the game, unless somebody gave up", () => {
    expect(course(won, ["Alba", "Bruno"], en.result, "Bruno went up.")).toBe("Bruno went up.");
    expect(course(won, ["Alba", "Bruno"], en.result, undefined)).toBe("");
    const conceded = { ...won, reason: "the other gave up" };
    expect(course(conceded, ["Alba", "Bruno"], en.result, "Bruno went up.")).toBe("Alba saw no hope any more and gave up.");
  });

  it("says by how much, where that is a number", () => {
    expect(margin({ ...won, scores: { total: [31, 38] } })).toBe(7);
    expect(margin({ ...won, ranks: [1, 1], scores: { total: [31, 31] } })).toBeNull();
    expect(margin({ ...won, ranks: [1], scores: { total: [31] } })).toBeNull();
    expect(margin(won)).toBeNull();
  });

  it("fits one line of the lobby", () => {
    expect(summary(won, ["Alba", "Bruno"], en.lobby, list)).toBe("Bruno beat Alba");
    expect(summary({ ...won, scores: { total: [31, 38] } }, ["Alba", "Bruno"], en.lobby, list)).toBe("Bruno 38, Alba 31");
    expect(summary(null, ["Alba"], en.lobby, list)).toBe("Alba: broken off");
  });
});
