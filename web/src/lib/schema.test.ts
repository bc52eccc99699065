import { describe, expect, it } from "vitest";
import type { Schema } from "./protocol";
import { changed, fields, initial } from "./schema";

const schema: Schema = {
  $ref: "#/$defs/Options",
  $defs: {
    Options: {
      type: "object",
      properties: {
        width: { type: "integer", minimum: 0, maximum: 690, default: 0, description: "columns" },
        spread: { enum: ["eight", "four"], default: "eight" },
        safe_first_click: { type: "boolean", default: true },
        tower: { anyOf: [{ enum: ["black", "white"] }, { type: "null" }], default: null },
        birth: { type: "string", default: "2000" },
      },
    },
  },
};

describe("a form made from a schema", () => {
  const form = fields(schema, { spread: { label: "Zero opens", values: { four: "four around" } } }, "any", []);

  it("has a field for each option it can show", () => {
    expect(form.map((field) => [field.name, field.kind])).toEqual([
      ["width", "number"],
      ["spread", "choice"],
      ["safe_first_click", "flag"],
      ["tower", "choice"],
      ["birth", "text"],
    ]);
  });

  it("takes labels from the game's words, else from the schema", () => {
    expect(form.map((field) => field.label)).toEqual(["Width", "Zero opens", "Safe first click", "Tower", "Birth"]);
    expect(form[1]!.choices).toEqual([{ value: "eight", label: "eight" }, { value: "four", label: "four around" }]);
  });

  it("offers 'any' where nothing is a choice too", () => {
    expect(form[3]!.choices[0]).toEqual({ value: null, label: "any" });
  });

  it("sends only what was changed", () => {
    const values = initial(form);
    expect(changed(form, values)).toEqual({});
    expect(changed(form, { ...values, width: 9, safe_first_click: false })).toEqual({ width: 9, safe_first_click: false });
  });

  it("hides what no person needs", () => {
    expect(fields(schema, {}, "any", ["width", "birth"]).map((field) => field.name)).toEqual(["spread", "safe_first_click", "tower"]);
  });
});
