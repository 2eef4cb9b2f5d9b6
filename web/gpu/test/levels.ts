// Prints how many levels and colours sets have, as the table of docs/decisions/web-page.md:
//
//   npm run levels
import { findLevels } from "../src/levels.js";
import { typeNamed } from "../src/types/type_table.js";
import { buildEngine, runEngine } from "./support/engine.js";

const program = buildEngine();
if (!program) throw new Error("build the library first");
const types = ["distance", "stick", "opposite_distance", "triangle", "isometric", "dihedral"];
const meshes = { grid: "grid 64 x 64", large: "grid 320 x 320", ball: "icosphere of 642" };
console.log(`| levels, colours | ${types.join(" | ")} |\n| --- |${" ---: |".repeat(types.length)}`);
for (const [mesh, name] of Object.entries(meshes)) {
  const cells = types.map((type) => {
    const scene = runEngine(program, `${mesh} ${type === "distance" ? "none" : type} xpbd 1 1 forward - 0`);
    const { particles } = scene.sets.at(-1)!;
    const count = (order: "given" | "coloured"): number =>
      findLevels(particles, typeNamed(type)!.cardinality, scene.inverseMasses.length, order).offsets.length - 1;
    return `${count("given")}, ${count("coloured")}`;
  });
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}
