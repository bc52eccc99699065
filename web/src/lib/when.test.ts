import { describe, expect, it } from "vitest";
import { localeOf, when } from "./when";

const now = new Date(2026, 10, 15, 18, 0).getTime();
const ago = (days: number, hour = 12, minute = 40) => new Date(2026, 10, 15 - days, hour, minute).getTime();

describe("when", () => {
  it("is a time today and yesterday, then a weekday, then a date", () => {
    expect(when(ago(0), now, "en-GB")).toBe("12:40");
    expect(when(ago(1, 23), now, "en-GB")).toBe("yesterday, 23:40");
    expect(when(ago(3), now, "en-GB")).toBe("Thursday, 12:40");
    expect(when(ago(40), now, "en-GB")).toBe("6 Oct 2026");
  });

  it("speaks the language of the page", () => {
    expect(when(ago(1), now, "it")).toBe("ieri, 12:40");
    expect(when(ago(3), now, "it")).toBe("giovedì, 12:40");
  });

  it("takes the reader's own forms where they are of that language", () => {
    expect(localeOf("en", ["it-IT", "en-GB"])).toBe("en-GB");
    expect(localeOf("it", ["en-US"])).toBe("it");
  });
});
