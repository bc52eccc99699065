import { mount } from "svelte";
import "./style/tokens.css";
import "./style/frame.css";
import "./style/lobby.css";
import "$lib/themes";
import { url } from "$lib/base";
import { watchTurns } from "$lib/mine.svelte";
import { showPresses } from "$lib/press";
import App from "./App.svelte";

// A page that was open while the house got a newer one asks for parts that are gone: load it anew, but not for ever,
// and not while no house answers: what is on the screen is more than what a browser shows then.
const RELOAD_MS_MIN = 10_000;
addEventListener("vite:preloadError", () => {
  const last = Number(sessionStorage.getItem("ludoteca.reloaded") ?? 0);
  if (Date.now() - last < RELOAD_MS_MIN) return;
  fetch(url("/healthz"), { cache: "no-store" }).then(() => {
    sessionStorage.setItem("ludoteca.reloaded", String(Date.now()));
    location.reload();
  }, () => undefined);
});

// Where the page was loaded securely, its shell is there without a network, too, and it can be installed.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => void navigator.serviceWorker.register(url("/sw.js")).catch(() => undefined));
}

watchTurns();
showPresses();
mount(App, { target: document.getElementById("app")! });
