// Figure 1 of Kelager and others: a plant that stands by triangle bending, and one of edges alone.
import { Scene, type Deformable, type World } from "pliant";
import { h } from "../base/dom.ts";
import { sceneById } from "../engine/catalogue.ts";
import { fetchScene, library, type Source } from "../engine/library.ts";
import { verdicts } from "./claims.ts";
import { rms, tall } from "./measures.ts";
import { bodyOf, FRAME, panel, turnable } from "./paper.ts";
import { button, slider, type Figure } from "./parts.ts";

const CALM = 60, END = 420, LAST = 120, COLLAPSED = 120, LEAF: [number, number, number] = [92, 150, 62], BELOW: [number, number, number] = [132, 172, 96];
/** The shipped scene with fewer leaves and sides, so that a browser keeps pace; the gust is the scene's. */
const SMALLER = ["deformables.plant.mesh.plant.branches=4", "deformables.plant.mesh.plant.sides=6", "settings.substeps=40", "settings.iterations=10"];

interface Run { scene: Scene; world: World; body: Deformable; frame: number; rest: number; calm: Float32Array; atCalm: number; away: number[] }

async function grow(source: Source, more: string[]): Promise<Run> {
  const scene = Scene.load(source.text, { files: source.files, path: source.file, overrides: [...SMALLER, ...more] }, await library()), world = scene.createWorld(), body = world.deformables[0];
  return { scene, world, body, frame: 0, rest: tall(body), calm: body.copyPositions(), atCalm: NaN, away: [] };
}

/** A step of the scene, with its gust, and what the claims need of it. */
function advance(run: Run): void {
  run.scene.step(run.world, run.frame++);
  if (run.frame === CALM) { run.calm = run.body.copyPositions(); run.atCalm = tall(run.body) / run.rest; }
  if (run.frame > CALM && run.frame <= END) run.away.push(rms(run.body.copyPositions(), run.calm));
}

function measured(run: Run, bare: Run): (number | null)[] {
  const pushed = Math.max(0, ...run.away), left = run.away.slice(-LAST).reduce((sum, x) => sum + x, 0) / LAST;
  return [run.frame >= CALM ? run.atCalm : null, bare.frame >= CALM ? bare.atCalm : null, run.frame >= 150 ? pushed / run.rest : null, run.frame >= END ? left / pushed : null];
}

export async function plant(): Promise<Figure> {
  const source = await fetchScene(sceneById("shipped-plant")!), claims = await verdicts("kelager-fig1", ["The plant stands", "Without it", "The wind bends it", "The bend recovers"]);
  const make = async (): Promise<Run[]> => [await grow(source, []), await grow(source, ["deformables.plant.constraints.triangle.stiffness=0"])];
  let runs = await make(), wind = 3, blowing = false, touched = 0;
  const views = [panel("Triangle bending, h ≤ h₀ + κ", "A plant that stands", "tall"), panel("Edges alone", "The same plant without bending constraints, fallen", "tall")], reading = h("p", { class: "reading", "data-testid": "learn-plant-reading" });
  for (const { solid } of views) solid.eye = { yaw: -28, pitch: 8, scale: 300, middle: [0, 0.36, 0] };
  turnable(views[0], [views[1].solid]);
  const free = (): void => { for (const { world, scene } of runs) { world.dispose(); scene.dispose(); } };
  const blow = button("learn-plant-blow", "Hold to blow", () => undefined), start = (): void => { blowing = true; touched = runs[0].frame; };
  blow.addEventListener("pointerdown", start);
  blow.addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") start(); });
  for (const name of ["pointerup", "pointerleave", "keyup", "blur"]) blow.addEventListener(name, () => { blowing = false; });
  const kappa = slider("learn-plant-kappa", "κ", 0, 0.005, 0, (x) => `${(1000 * x).toFixed(1)} mm`, (x) => runs[0].world.write("deformables[0].constraints[1].kappa", x));
  const again = button("learn-plant-again", "Again", () => void make().then((made) => { free(); runs = made; touched = 0; kappa.querySelector("input")!.value = "0"; kappa.querySelector("input")!.dispatchEvent(new Event("input")); }));
  const strength = slider("learn-plant-wind", "Wind", 0, 8, wind, (x) => `${x.toFixed(1)} m/s`, (x) => { wind = x; });
  return {
    element: h("div", null, h("div", { class: "four" }, ...views.map(({ element }) => element)), reading, strength, kappa, h("div", { class: "controls" }, blow, again), claims.element),
    caption: "The same plant twice. A gust blows from 1.0 to 2.5 s, then the wind is yours. Drag the picture to turn it.",
    step: () => {
      const [run, bare] = runs;
      if (bare.frame < COLLAPSED) advance(bare);
      if (!touched && run.frame < END) advance(run);
      else {
        run.world.set({ air_density: blowing ? 1.2 : 0, wind: [wind, 0, wind / 2] });
        run.world.step(FRAME);
        run.frame++;
      }
      if (run.frame % 10 === 0) {
        claims.show(touched && touched < END ? [...measured(run, bare).slice(0, 2), null, null] : measured(run, bare));
        reading.textContent = `${(run.frame / 60).toFixed(1)} s: the plant has ${(100 * tall(run.body) / run.rest).toFixed(1)} % of its height at rest, edges alone ${(100 * tall(bare.body) / bare.rest).toFixed(1)} %.`;
      }
    },
    tick: () => runs.forEach(({ body }, i) => { const { solid } = views[i]; solid.eye.scale = Math.min(solid.canvas.clientWidth / 0.6, solid.canvas.clientHeight / 0.82); solid.draw([bodyOf(body, LEAF, BELOW)], 0); }),
    dispose: free,
  };
}
