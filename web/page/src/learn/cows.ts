// Figure 9 of Kelager and others: three cows with 2, 16 and 64 iterations, pinned by their feet.
import { Scene, type Deformable, type World } from "pliant";
import { h } from "../base/dom.ts";
import { fetchScene, library, type Source } from "../engine/library.ts";
import type { CatalogueScene } from "../engine/catalogue.ts";
import { verdicts } from "./claims.ts";
import { quantile, shapeDistance } from "./measures.ts";
import { bodyOf, CLAY, INSIDE, panel, turnable } from "./paper.ts";
import { button, slider, type Figure } from "./parts.ts";

const ITERATIONS = [2, 16, 64], END = 240, SIZE = 10, FOOT = 0.2;
const ROW = { id: "spot", folder: "shipped/", file: "spot-stands.json", files: ["meshes/spot.obj"] } as unknown as CatalogueScene;

interface Cow { scene: Scene; world: World; body: Deformable; rest: Float32Array; /** Vertices of the feet and of the back. */ ends: [number[], number[]]; iterations: number; frame: number; found: { height: number; tilt: number; away: number } | null }

async function drop(source: Source, iterations: number): Promise<Cow> {
  const overrides = ["settings.substeps=1", `settings.iterations=${iterations}`, "deformables.spot.mesh.scale=5.9", "deformables.spot.pose.position=[0,4.4,0]"];
  const scene = Scene.load(source.text, { files: source.files, path: source.file, overrides }, await library()), world = scene.createWorld(), body = world.deformables[0], rest = Float32Array.from(body.mesh.topology.positions);
  const heights = Array.from({ length: rest.length / 3 }, (_, i) => rest[3 * i + 1]), low = quantile(heights, 0.1), high = quantile(heights, 0.9), ground = Math.min(...heights);
  heights.forEach((y, i) => { if (y < ground + FOOT) body.setInverseMasses([0], i); });
  const those = (test: (y: number) => boolean): number[] => heights.flatMap((y, i) => (test(y) ? [i] : []));
  return { scene, world, body, rest, ends: [those((y) => y <= low), those((y) => y >= high)], iterations, frame: 0, found: null };
}

/** The line from the feet to the back. */
function lineOf({ ends }: Cow, positions: ArrayLike<number>): number[] {
  const mean = (list: number[]): number[] => [0, 1, 2].map((k) => list.reduce((sum, i) => sum + positions[3 * i + k], 0) / list.length), [low, high] = ends.map(mean);
  return high.map((x, k) => x - low[k]);
}

function measure(cow: Cow): NonNullable<Cow["found"]> {
  const positions = cow.body.copyPositions(), from = lineOf(cow, cow.rest), to = lineOf(cow, positions), lean = (l: number[]): number => (180 / Math.PI) * Math.atan2(Math.hypot(l[0], l[2]), l[1]);
  return { height: to[1] / from[1], tilt: Math.abs(lean(to) - lean(from)), away: shapeDistance(cow.rest, positions) };
}

export async function cows(): Promise<Figure> {
  const source = await fetchScene(ROW), claims = await verdicts("kelager-fig9", ["The cow of 64 iterations stands", "With 2 iterations the cow sags", "With 16 iterations it sags", "With 64 iterations the shell", "With 2 iterations it is not"]);
  let herd: Cow[] = [], own = 16;
  const make = async (): Promise<void> => { const next: Cow[] = []; for (const n of [2, own, 64]) next.push(await drop(source, n)); free(); herd = next; };
  const free = (): void => { for (const { world, scene } of herd) { world.dispose(); scene.dispose(); } };
  await make();
  const views = ITERATIONS.map((n) => panel(`${n} iterations`, `A hollow cow solved with ${n} iterations`, "tall")), reading = h("p", { class: "reading", "data-testid": "learn-cows-reading" });
  for (const { solid } of views) solid.eye = { yaw: 95, pitch: 8, scale: 20, middle: [0, 4.3, 0] };
  views.forEach((view, i) => turnable(view, views.filter((_, k) => k !== i).map(({ solid }) => solid)));
  const show = (): void => {
    const [two, sixteen, stiff] = herd.map(({ found }) => found), paper = own === 16 ? sixteen : null;
    claims.show([stiff?.tilt ?? null, two && paper ? paper.height - two.height : null, paper && stiff ? stiff.height - paper.height : null, stiff ? stiff.away / SIZE : null, two ? two.away / SIZE : null]);
    reading.textContent = `${(herd[0].frame / 60).toFixed(1)} s: height of the back over the feet, over that at rest: ${herd.map((cow) => `${cow.iterations} iterations ${measure(cow).height.toFixed(2)}`).join(", ")}.`;
  };
  const control = slider("learn-cows-iterations", "Iterations, middle", 0, 6, 4, (x) => String(Math.round(2 ** x)), (x) => { own = herd[1].iterations = Math.round(2 ** x); herd[1].found = null; herd[1].world.set({ iterations: own }); views[1].title.textContent = `${own} iterations`; });
  return {
    element: h("div", null, h("div", { class: "three" }, ...views.map(({ element }) => element)), control, h("div", { class: "controls" }, button("learn-cows-again", "Drop them again", () => void make())), reading, claims.element),
    caption: "One mesh, one constraint type, κ = 0, k = 1; only the number of iterations differs. The feet are pinned. Drag a cow to turn all.",
    step: () => {
      for (const cow of herd) {
        cow.scene.step(cow.world, cow.frame++);
        if (cow.frame === END) cow.found = measure(cow);
      }
      if (herd[0].frame % 15 === 0) show();
    },
    tick: () => herd.forEach(({ body }, i) => {
      const { solid } = views[i];
      solid.eye.scale = Math.min(solid.canvas.clientWidth / 12.5, solid.canvas.clientHeight / 11);
      solid.draw([bodyOf(body, CLAY, INSIDE, { closed: true })], 0);
    }),
    dispose: free,
  };
}
