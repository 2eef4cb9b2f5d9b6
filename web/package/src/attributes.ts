// What a mesh file says beside the shape: texture coordinates, colours, other numbers, groups, and render vertices.
import type { Memory } from "./memory.js";

/** Numbers of render vertices, or of faces; "uv" and "colour" are names with a meaning. */
export interface MeshAttribute {
  name: string;
  domain: "vertex" | "face";
  /** Numbers a value, 1 to 4. */
  width: number;
  values: Float32Array;
}

/** Named faces of the mesh, or named vertices of it, with weights where not all are 1. */
export interface MeshGroup {
  name: string;
  kind: "faces" | "material" | "object" | "vertices";
  elements: Int32Array;
  weights: Float32Array | null;
}

/**
 * A picture needs more vertices than the mesh has particles: where a seam of a texture runs, one particle has two texture
 * coordinates. Those are render vertices; each belongs to one vertex of the mesh.
 */
export interface MeshAttributes {
  /** Vertex of the mesh of each render vertex. */
  vertexMap: Int32Array;
  /** Triangles over render vertices; null where the file gives none. */
  triangles: Int32Array | null;
  attributes: MeshAttribute[];
  groups: MeshGroup[];
}

const GROUP_KINDS = ["faces", "material", "object", "vertices"] as const;

function attributeAt(memory: Memory, address: number, i: number, vertices: number, faces: number): MeshAttribute {
  memory.exports.attributes_at(address, i);
  const [name, ofFaces, width, values] = memory.numbers(0, 4) as [number, number, number, number];
  return {
    name: memory.text(name),
    domain: ofFaces ? "face" : "vertex",
    width,
    values: new Float32Array(memory.buffer, values, width * (ofFaces ? faces : vertices)).slice(),
  };
}

function groupAt(memory: Memory, address: number, i: number): MeshGroup {
  memory.exports.attributes_group_at(address, i);
  const [name, kind, count, elements, weights] = memory.numbers(0, 5) as [number, number, number, number, number];
  return {
    name: memory.text(name),
    kind: GROUP_KINDS[kind] ?? "faces",
    elements: new Int32Array(memory.buffer, elements, count).slice(),
    weights: weights ? new Float32Array(memory.buffer, weights, count).slice() : null,
  };
}

/** Copies of all that the library has at an address. */
export function readAttributes(memory: Memory, address: number, triangles: number, faces: number): MeshAttributes {
  memory.exports.attributes_info(address);
  const [vertices, map, drawn, count, groups] = memory.numbers(0, 5) as [number, number, number, number, number];
  return {
    vertexMap: new Int32Array(memory.buffer, map, vertices).slice(),
    triangles: drawn ? new Int32Array(memory.buffer, drawn, 3 * triangles).slice() : null,
    attributes: Array.from({ length: count }, (_, i) => attributeAt(memory, address, i, vertices, faces)),
    groups: Array.from({ length: groups }, (_, i) => groupAt(memory, address, i)),
  };
}
