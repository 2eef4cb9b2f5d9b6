// A scene around a mesh that a reader brings: the library guesses what it is.
import { Mesh, type Engine, type GuessKind } from "pliant";
import type { Source } from "./library.ts";
import { nameSets } from "./naming.ts";

/** Size in metres that a mesh of any unit is shown with. */
const SIZE = 1.2;

export function sceneOfMesh(engine: Engine, name: string, data: Uint8Array, kind: GuessKind = "auto"): { source: Source; vertices: number; reason: string } {
  const reading = { policy: "repair", weld: true } as const;
  let mesh = Mesh.read(data, name, reading, engine);
  const { bounds_min: low, bounds_max: high, vertex_count: vertices, triangle_count: triangles } = mesh.report;
  mesh.dispose();
  if (triangles < 2) throw new Error(`${name} has ${vertices} points and ${triangles} triangles: nothing here can bend. Give a surface of two triangles or more.`);
  if (triangles > 200000) throw new Error(`${name} has ${triangles} triangles; the page takes 200 000. The command line takes it: pliant run.`);
  const scale = SIZE / Math.max(...low.map((x, i) => high[i] - x));
  mesh = Mesh.read(data, name, { ...reading, scale }, engine);
  try {
    const found = mesh.guess({ kind, file: name, name: "mesh", scale, weld: true, repair: true, unit: 1 });
    const scene = { ...found.scene, title: name, frames: 600 } as Record<string, any>;
    scene.settings.air_density = 1.2;
    // What keeps its shape does not meet itself, and a picture has 16 ms.
    if (found.kind !== "cloth") delete scene.deformables[0].self_collision;
    // A rigidity of the cloth is the library's word for a plate, whose values the panel shows.
    const [one] = scene.deformables;
    if (one.rigidity !== undefined) { one.plate = { rigidity: one.rigidity }; delete one.rigidity; }
    const source: Source = {
      id: "file", title: name, file: name, ...nameSets(JSON.stringify(scene, null, 2), engine.descriptors), files: { [name]: data }, surface: "cloth", mesh: { name, data, kind },
    };
    return { source, vertices, reason: found.reason };
  } finally { mesh.dispose(); }
}
