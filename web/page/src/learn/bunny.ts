// Figure 2 of Kelager and others: kappa collapses a hollow bunny and raises it again.
import { Scene, type Deformable, type World } from "pliant";
import { h } from "../base/dom.ts";
import { sceneById } from "../engine/catalogue.ts";
import { fetchScene, library } from "../engine/library.ts";
import { verdicts } from "./claims.ts";
import { tall } from "./measures.ts";
import { bodyOf, CLAY, FRAME, INSIDE, panel, turnable } from "./paper.ts";
import { button, slider, type Figure } from "./parts.ts";

const KAPPAS = [0, 0.02, 0.1, 0.01], PHASE = 240, PATH = "deformables[0].constraints[1].kappa";

interface Run { world: World; body: Deformable; rest: number; frame: number }

export async function bunny(): Promise<Figure> {
  const engine = await library(), source = await fetchScene(sceneById("bunny")!);
  const claims = await verdicts("kelager-fig2", ["Read as \"at most h0 + kappa\"", "It collapses as", "It collapses further", "It rises when kappa", "Read as printed"]);
  const make = (relation: string): Run => {
    const scene = Scene.load(source.text, { files: source.files, path: source.file, overrides: ["deformables.bunny.constraints.bend.kappa=0", `deformables.bunny.constraints.bend.relation=${relation}`] }, engine), world = scene.createWorld();
    scene.dispose();
    return { world, body: world.deformables[0], rest: tall(world.deformables[0]), frame: 0 };
  };
  let run = make("at_most"), least = make("at_least"), script = true, kappa = 0, heights: (number | null)[] = KAPPAS.map(() => null);
  const large = panel("", "A hollow bunny whose kappa changes"), small = panel("h ≥ h₀ + κ, as printed", "The same bunny with the relation as printed"), reading = h("p", { class: "reading", "data-testid": "learn-bunny-reading" });
  large.solid.canvas.classList.replace("small", "large");
  for (const { solid } of [large, small]) solid.eye = { yaw: -25, pitch: 12, scale: 20, middle: [-1.2, 4.4, 0] };
  turnable(large, [small.solid]);
  const over = (one: Run): number => tall(one.body) / one.rest;
  const give = (value: number): void => { kappa = value; run.world.write(PATH, value); large.title.textContent = `κ = ${value.toFixed(3)} m, ${(value / 0.383).toFixed(2)} edges`; };
  const control = slider("learn-bunny-kappa", "κ", 0, 0.15, 0, (x) => `${x.toFixed(3)} m`, (x) => { script = false; give(x); }), input = control.querySelector("input")!;
  const put = (value: number): void => { input.value = String(value); control.querySelector("output")!.textContent = `${value.toFixed(3)} m`; input.style.setProperty("--filled", String(value / 0.15)); give(value); };
  const again = (): void => { run.world.dispose(); least.world.dispose(); run = make("at_most"); least = make("at_least"); heights = KAPPAS.map(() => null); script = true; put(0); };
  put(0);
  return {
    element: h("div", null, h("div", { class: "large-small" }, large.element, h("div", null, small.element, h("p", { class: "second" }, "κ = 0, released at the same time."))), control,
      h("div", { class: "controls" }, ...KAPPAS.map((value) => button(`learn-bunny-${value}`, `κ = ${value}`, () => { script = false; put(value); })), button("learn-bunny-again", "Again", again)), reading, claims.element),
    caption: "The figure's four values of κ, four seconds each: it stands, slumps, lies, and rises. Then κ is yours. Drag the picture to turn it.",
    step: () => {
      if (script && run.frame % PHASE === 0 && run.frame < PHASE * KAPPAS.length) put(KAPPAS[run.frame / PHASE]);
      run.world.step(FRAME);
      run.frame++;
      if (least.frame < PHASE) { least.world.step(FRAME); least.frame++; }
      if (script && run.frame % PHASE === 0 && run.frame <= PHASE * KAPPAS.length) heights[run.frame / PHASE - 1] = over(run);
      if (run.frame % 10) return;
      const [a, b, c, d] = heights, less = (x: number | null, y: number | null): number | null => (x === null || y === null ? null : x - y);
      claims.show([a, less(a, b), less(b, c), less(d, c), least.frame >= PHASE ? over(least) : null]);
      reading.textContent = `${(run.frame / 60).toFixed(1)} s: κ = ${kappa.toFixed(3)} m, and the bunny has ${(100 * over(run)).toFixed(0)} % of its height at rest.`;
    },
    tick: () => [[large, run] as const, [small, least] as const].forEach(([{ solid }, { body }]) => {
      // The eye follows, since a bunny that collapses also rolls aside.
      const { minimum, maximum } = body.bounds;
      for (const k of [0, 2]) solid.eye.middle[k] += 0.2 * ((minimum[k] + maximum[k]) / 2 - solid.eye.middle[k]);
      solid.eye.scale = Math.min(solid.canvas.clientWidth / 12.5, solid.canvas.clientHeight / 10.6);
      solid.draw([bodyOf(body, CLAY, INSIDE, { closed: true })], 0);
    }),
    dispose: () => { run.world.dispose(); least.world.dispose(); },
  };
}
