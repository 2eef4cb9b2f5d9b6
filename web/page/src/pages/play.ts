// The whole playground.
import { need } from "../base/dom.ts";
import { expose, Playground } from "./playground.ts";
import { shell } from "./shell.ts";

let page: Playground | null = null;
shell(() => page?.theme());
page = await Playground.start(need("#play"), { scene: "flag", landing: false });
if (page) expose(page);
