import { beforeEach, describe, expect, it, vi } from "vitest";

const KEY = "ludoteca.settings";

/** The settings as a page finds them that was loaded with this in its storage. */
async function loaded(stored: string): Promise<typeof import("./settings.svelte").settings> {
  localStorage.setItem(KEY, stored);
  vi.resetModules();
  return (await import("./settings.svelte")).settings;
}

describe("settings", () => {
  beforeEach(() => localStorage.clear());

  it("are quiet and at a normal pace until somebody says otherwise", async () => {
    const settings = await loaded("{}");
    expect([settings.pace, settings.sounds, settings.confirm, settings.size, settings.distinct]).toEqual(["normal", false, false, "normal", false]);
  });

  it("survive a reload", async () => {
    const before = await loaded("{}");
    Object.assign(before, { pace: "slow", sounds: true, confirm: true, size: "large", distinct: true, notify: true });
    before.save();
    const after = await loaded(localStorage.getItem(KEY)!);
    expect(after).toMatchObject({ pace: "slow", sounds: true, confirm: true, size: "large", distinct: true, notify: true });
    expect(document.documentElement.classList.contains("distinct")).toBe(true);
  });

  it("of an earlier page are understood, and of nonsense nothing is taken", async () => {
    expect((await loaded('{"sound": true}')).sounds).toBe(true);
    expect((await loaded('{"pace": "warp", "size": 3}')).pace).toBe("normal");
    expect((await loaded("no json")).sounds).toBe(false);
  });
});
