// A cloth of opposite distances, as the figure runs it.
import { load, Mesh, World } from "pliant";

await load();
const world = new World({ substeps: 20, air_density: 1.2 });
const mesh = Mesh.grid({ columns: 11, rows: 31, width: 0.1, depth: 0.3 });
const cloth = world.createDeformable({ mesh, density: 0.2 });
cloth.createConstraintSet({ type: "distance" });
cloth.createConstraintSet({ type: "opposite_distance", parameters: { compliance: 0.002 } });
cloth.createAttachment({ particles: Array.from({ length: 22 }, (_, i) => i) });
for (let frame = 0; frame < 120; frame++) world.step(1 / 60);
console.log(`drop ${(-cloth.bounds.minimum[1]).toFixed(4)} m, hash ${world.hash()}`);
