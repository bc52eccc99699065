import { mount } from "svelte";
import "./style/tokens.css";
import "./style/frame.css";
import "./style/lobby.css";
import "$lib/themes";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app")! });
