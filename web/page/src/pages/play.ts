// The whole playground.
import { need } from "../base/dom.ts";
import { expose } from "../play/exposed.ts";
import { Playground } from "../play/playground.ts";
import { shell } from "./shell.ts";

let page: Playground | null = null;
shell(() => page?.theme());
page = await Playground.start(need("#play"), { scene: "flag", landing: false });
if (page) expose(page);
