import { render } from "preact";
import { App } from "./app";
import "./style/index.css";

// An address without `#/`, as people type or send it, leads to the page of that name.
if (location.pathname !== "/") history.replaceState(null, "", `/#${location.pathname}${location.search}`);

const root = document.getElementById("page");
if (root) render(<App />, root);
