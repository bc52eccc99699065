/** What is docked over market and cards while somebody decides: fetched when the board stands, before it is needed. */
export { default as Pay } from "./Pay.svelte";
export { default as Place } from "./Place.svelte";
export { default as Produce } from "./Produce.svelte";
