// The tutorial retold: figures are put where the text names them.
import { h } from "../base/dom.ts";
import { library } from "../engine/library.ts";
import { cost, fold, yours } from "../learn/cloths.ts";
import { gradient, parallel, xpbd } from "../learn/forces.ts";
import { height, kappa } from "../learn/height.ts";
import { momentum } from "../learn/momentum.ts";
import { run, type Figure, type Maker } from "../learn/parts.ts";
import { bug, hinge, neighbors, pairs } from "../learn/topology.ts";
import { shell } from "./shell.ts";

const MAKERS: Record<string, Maker> = { fold, hinge, neighbors, bug, pairs, gradient, xpbd, parallel, cost, height, kappa, momentum, yours };

shell();
await library();
const figures = new Map<Element, Figure>();
for (const place of document.querySelectorAll<HTMLElement>("figure[data-figure]")) {
  const section = place.closest("section")!, slots = Object.fromEntries([...section.querySelectorAll<HTMLElement>("[data-slot]")].map((one) => [one.dataset.slot!, one]));
  const figure = await MAKERS[place.dataset.figure!](slots);
  place.setAttribute("aria-label", section.querySelector("h2")!.textContent!);
  place.append(figure.element, h("figcaption", null, figure.caption));
  figures.set(place, figure);
}
run(figures);
document.documentElement.dataset.ready = "learn";
