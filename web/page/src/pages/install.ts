// Snippets, cut from the files that the tests run.
import { h, need } from "../base/dom.ts";
import clothC from "../learn/code/cloth.c?text";
import clothJs from "../learn/code/cloth.js?text";
import { shell } from "./shell.ts";

shell();
need("#code-js").append(h("pre", { class: "code", tabindex: 0 }, clothJs));
need("#code-c").append(h("pre", { class: "code", tabindex: 0 }, clothC));
document.documentElement.dataset.ready = "install";
