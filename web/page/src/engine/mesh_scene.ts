// A scene around a mesh that a reader brings.
import { Mesh, type Engine } from "pliant";
import type { Source } from "./library.ts";

/** It falls on a ball, or stands on the ground when it is closed. */
export function sceneOfMesh(engine: Engine, name: string, data: Uint8Array): { source: Source; vertices: number } {
  const mesh = Mesh.read(data, name, { policy: "repair", weld: true }, engine);
  const { bounds_min: low, bounds_max: high, closed, vertex_count: vertices, triangle_count: triangles } = mesh.report;
  mesh.dispose();
  if (triangles < 2) throw new Error(`${name} has ${vertices} points and ${triangles} triangles: nothing here can bend. Give a surface of two triangles or more.`);
  if (triangles > 200000) throw new Error(`${name} has ${triangles} triangles; the page takes 200 000. The command line takes it: pliant run.`);
  const size = Math.max(...low.map((x, i) => high[i] - x));
  const factor = 1.2 / size, lift = -low[1] * factor + (closed ? 0.02 : 0.75);
  const constraints: object[] = [{ type: "distance", name: "stretch" }, { type: closed ? "dihedral" : "isometric", name: "bend", rigidity: 1e-4 }];
  if (closed) constraints.push({ type: "volume", pressure: 1 });
  const scene = {
    pliant: 1, title: name, frames: 600, settings: { substeps: 15, air_density: 1.2, damping: 0.6 },
    deformables: [{ name: "mesh", mesh: { file: name, scale: factor, weld: true, repair: true }, pose: { position: [0, lift, 0] }, density: 0.2, constraints }],
    colliders: [{ shape: "plane", friction: 0.5 }, ...(closed ? [] : [{ shape: "sphere", radius: 0.3, pose: { position: [0, 0.4, 0] } }])],
    view: { eye: [1.6, 1.2, 2.8], target: [0, 0.5, 0], field_of_view: 30 },
  };
  return { source: { id: "file", title: name, file: name, text: JSON.stringify(scene, null, 2), files: { [name]: data }, surface: "cloth" }, vertices };
}
