// Distances: edges, sticks and opposite vertices (src/constraints/types/distance_kernel.h).
//   C = |x0 - x1| - l0
import { ALONG } from "../wgsl/update.js";
import { COMMON_PARAMETERS, type GpuTypeRow, noOwn } from "./type_row.js";

const wgsl =
  ALONG +
  /* wgsl */ `
fn project_slot() {
  let stencil = load_stencil();
  let d = stencil[0].xyz - stencil[1].xyz;
  let length = length_of(d);
  let value = length - rest_at(0u);
  update_along(stencil, d, length, Shares(1.0, -1.0), value, stencil[0].w + stencil[1].w);
}
`;

const row = (name: string): GpuTypeRow => ({ name, cardinality: 2, dimension: 1, restCount: 1, parameters: COMMON_PARAMETERS, wgsl, own: noOwn });

export const distance = row("distance");
export const stick = row("stick");
export const oppositeDistance = row("opposite_distance");
