// What the figures of the tutorial do with the library; steps.c does the same in C, and a test compares both.
import { evaluateConstraint, findTriangleNeighbors, Mesh, trianglePairs, World } from "pliant";

/** The neighbour of each edge of each triangle, or -1: findTriNeighbors. */
export function neighborsOf(triangles, vertexCount) {
  return findTriangleNeighbors(triangles, vertexCount);   // 1 2 0, 0 3 1: -1 -1 5 -1 -1 2
}

/** Four vertices for each pair of triangles, the shared edge first: getTriPairIds. */
export function pairsOf(triangles, vertexCount) {
  return trianglePairs(triangles, neighborsOf(triangles, vertexCount));
}

/** C and its gradient for the tips of two triangles: their distance, less that at rest. Positions are 3 numbers a tip. */
export function tipConstraint(restPositions, positions) {
  const { values, gradients } = evaluateConstraint({ type: "opposite_distance", restPositions, positions });
  return { C: values[0], gradients };   // 3 numbers a tip: -n, n
}

/** A swatch of 10 x 30 cm, clamped along one end, that bends by one model. */
export function swatch(type, parameters, substeps) {
  const world = new World({ substeps, air_density: 1.2, damping: 0.6 });
  const mesh = Mesh.grid({ columns: 11, rows: 31, width: 0.1, depth: 0.3 });
  const cloth = world.createDeformable({ mesh, density: 0.2 });
  cloth.createConstraintSet({ type: "distance" });
  cloth.createConstraintSet({ type, name: "bend", parameters });
  cloth.createAttachment({ particles: Array.from({ length: 22 }, (_, i) => i) });
  return { world, mesh, cloth };
}

/** A square of stretchy cloth that hangs by two corners, with a compliance under XPBD and a stiffness under PBD. */
export function square(method, substeps, iterations) {
  const world = new World({ method, substeps, iterations, air_density: 1.2, damping: 3.1 });
  const mesh = Mesh.grid({ columns: 13, rows: 13, width: 0.6, depth: 0.6 });
  const cloth = world.createDeformable({ mesh, density: 0.3 });
  const parameters = method === "xpbd" ? { compliance: 0.02 } : { stiffness: 0.12 };
  cloth.createConstraintSet({ type: "distance", parameters });
  cloth.set({ stretch: "swept" });
  cloth.createAttachment({ particles: [0, 12] });
  return { world, mesh, cloth };
}
