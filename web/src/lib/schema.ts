/** A form for a game's options, made from their JSON Schema: no game is known here. */

import type { OptionWords } from "./board";
import type { Schema } from "./protocol";

export interface Field {
  name: string;
  label: string;
  hint: string;
  kind: "choice" | "flag" | "number" | "text";
  /** For choices: value and label; null is "any". */
  choices: { value: string | number | null; label: string }[];
  minimum: number;
  maximum: number;
  whole: boolean;
  /** What a text must look like. */
  pattern: string;
  initial: unknown;
}

/** The schema behind `$ref`. */
export function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name && schema.$defs?.[name]) || schema;
}

function sentence(text: string): string {
  const spaced = text.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function fields(
  schema: Schema,
  words: Partial<Record<string, OptionWords>>,
  any: string,
  hidden: string[] = [],
): Field[] {
  const { properties = {} } = resolve(schema);
  return Object.entries(properties)
    .filter(([name]) => !hidden.includes(name))
    .map(([name, property]) => field(name, property, schema, words[name], any))
    .filter((one) => one !== null);
}

function field(name: string, property: Schema, root: Schema, words: OptionWords | undefined, any: string): Field | null {
  const variants = (property.anyOf ?? [property]).map((one) => resolve({ ...one, $defs: root.$defs }));
  const values = variants.find((one) => one.enum)?.enum;
  const optional = variants.some((one) => one.type === "null");
  const typed = variants.find((one) => one.type !== "null");
  const base = {
    name,
    label: words?.label ?? sentence(name),
    hint: words?.hint ?? property.description ?? "",
    choices: [] as Field["choices"],
    minimum: typed?.minimum ?? 0,
    maximum: typed?.maximum ?? 9999,
    whole: typed?.type === "integer",
    pattern: "",
    initial: property.default,
  };
  if (values) {
    const choices: Field["choices"] = values.map((value) => ({
      value,
      label: words?.values?.[String(value)] ?? String(value).replaceAll("_", " "),
    }));
    if (optional) choices.unshift({ value: null, label: any });
    return { ...base, kind: "choice", choices };
  }
  if (typed?.type === "boolean") return { ...base, kind: "flag" };
  if (typed?.type === "integer" || typed?.type === "number") return { ...base, kind: "number" };
  if (typed?.type === "string") return { ...base, kind: "text", pattern: typed.pattern ?? "" };
  return null;
}

/** What a form starts with. */
export function initial(form: Field[]): Record<string, unknown> {
  return Object.fromEntries(form.map((one) => [one.name, one.initial]));
}

/** What was changed: everything else stays the server's business. */
export function changed(form: Field[], values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(form.filter((one) => values[one.name] !== one.initial).map((one) => [one.name, values[one.name]]));
}
