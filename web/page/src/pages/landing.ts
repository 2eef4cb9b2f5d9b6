// The landing: a cloth that moves, one verb, two controls.
import { need } from "../base/dom.ts";
import { expose } from "../play/exposed.ts";
import { Playground } from "../play/playground.ts";
import { shell } from "./shell.ts";

let page: Playground | null = null;
shell(() => page?.theme());
page = await Playground.start(need("#play"), { scene: "walker", landing: true });
if (page) {
  expose(page);
  const { kappaTeaser } = await import("../learn/teaser.ts");
  kappaTeaser(need("#kappa-teaser"));
}
