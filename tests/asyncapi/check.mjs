// Reads an AsyncAPI document and prints, as JSON, what the official parser says and which messages it finds.
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const { document, diagnostics } = await new Parser().parse(readFileSync(0, "utf8"));
const errors = diagnostics.filter((one) => one.severity < 2).map((one) => `${one.path.join(".")}: ${one.message}`);
const messages = document ? document.allMessages().all().map((one) => one.id()) : [];
console.log(JSON.stringify({ errors, messages }));
