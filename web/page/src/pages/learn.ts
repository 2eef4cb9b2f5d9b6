// The tutorial: figures are put where the text names them.
import { library } from "../engine/library.ts";
import { algorithm } from "../learn/algorithm.ts";
import { cost, fold, yours } from "../learn/cloths.ts";
import { cows } from "../learn/cows.ts";
import { creation } from "../learn/creation.ts";
import { control, recovery } from "../learn/fabrics.ts";
import { gradient, parallel, xpbd } from "../learn/forces.ts";
import { height, kappa } from "../learn/height.ts";
import { mirror } from "../learn/mirror.ts";
import { momentum } from "../learn/momentum.ts";
import type { Maker } from "../learn/parts.ts";
import { plant } from "../learn/plant.ts";
import { bunny } from "../learn/bunny.ts";
import { Running } from "../learn/running.ts";
import { times } from "../learn/times.ts";
import { bug, hinge, neighbors, pairs } from "../learn/topology.ts";
import { shell } from "./shell.ts";

const MAKERS: Record<string, Maker> = {
  fold, algorithm, hinge, neighbors, bug, pairs, gradient, xpbd, parallel, cost, height, kappa, creation, mirror, plant, bunny, recovery, control, cows, times, momentum, yours,
};

shell();
await library();
const running = new Running(MAKERS);
/** The section that the address names. It stays in view while figures above it are made, until the reader scrolls. */
let target: Element | null = null;
async function go(): Promise<void> {
  target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  const named = target?.querySelector<HTMLElement>("figure[data-figure]")?.dataset.figure;
  if (named) await running.figure(named);
  target?.scrollIntoView();
}
running.filled = () => target?.scrollIntoView();
for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(name, () => { target = null; }, { passive: true });
addEventListener("hashchange", () => void go());
await go();
await running.start();
await go();
Object.assign(window, { pliantFigures: running });
document.documentElement.dataset.ready = "learn";
