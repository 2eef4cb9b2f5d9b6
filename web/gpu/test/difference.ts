// Prints how far the graphics card is from the CPU after some frames, as the table of docs/webgpu.md:
//
//   npm run difference -- 30                    on Chromium's software adapter
//   PLIANT_GPU=real npm run difference -- 30    on the machine's own
import { createGpuSimulation, type GpuOrder, isGpuAvailable } from "../src/index.js";
import { compare } from "./support/compare.js";
import { gpu, openDevice } from "./support/device.js";
import { BUILD, buildEngine, DT, runEngine } from "./support/engine.js";

const frames = Number(process.argv[2] ?? 30);
const scenes: [name: string, scene: string][] = [
  ["hung, `opposite_distance`", "grid opposite_distance xpbd 10 1 back_and_forth ps"],
  ["hung, `triangle`", "grid triangle xpbd 10 1 back_and_forth ps"],
  ["hung, `isometric`", "grid isometric xpbd 10 1 back_and_forth ps"],
  ["hung, `dihedral`", "grid dihedral xpbd 10 1 back_and_forth ps"],
  ["dropped on a ball and the ground, `isometric`", "grid isometric xpbd 10 1 back_and_forth cs"],
];

const program = buildEngine();
if (!program) {
  console.error(`${BUILD} has no libpliant.a: build the library first`);
  process.exit(1);
}

async function differ(device: GPUDevice, scene: ReturnType<typeof runEngine>, order: GpuOrder): Promise<[cells: string[], dispatches: number]> {
  const simulation = await createGpuSimulation(device, scene, { order });
  for (let i = 0; i < frames; i++) {
    simulation.step(DT);
    if (i % 8 === 7) await simulation.finish();
  }
  const found = compare(await simulation.readPositions(), scene.after, simulation.particleCount);
  const { distance } = await simulation.largestDifference(scene.after);
  const dispatches = simulation.dispatchCount;
  simulation.release();
  return [[`${found.different} of ${found.of}`, `${distance === 0 ? "0" : distance.toExponential(1)} m`], dispatches];
}

const { sentence } = await isGpuAvailable(await gpu());
const device = await openDevice();
console.log(`${sentence} 64 x 64 vertices, 1 m, ${frames} frames of 10 substeps.\n`);
console.log("| sheet | values that differ | largest difference | largest difference in `coloured` order | dispatches per substep |");
console.log("| --- | ---: | ---: | ---: | ---: |");
for (const [name, words] of scenes) {
  const scene = runEngine(program, `${words} ${frames}`);
  const [given, levels] = await differ(device, scene, "given");
  const [coloured, colours] = await differ(device, scene, "coloured");
  console.log(`| ${[name, ...given, coloured[1], `${levels}, ${colours}`].join(" | ")} |`);
}
process.exit(0);
