// The client's entrance: puts the page into the document. It knows nothing of battles.

import { mount } from "svelte";
import App from "./App.svelte";
import "./style.css";

const target = document.getElementById("picket");
if (!target) throw new Error("the page has no place for the client");
mount(App, { target });
