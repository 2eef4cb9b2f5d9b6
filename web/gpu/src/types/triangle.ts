// Triangle bending after Kelager et al. 2010 (src/constraints/types/triangle.c).
//   C = |v - c| - (h0 + kappa),  c = (b0 + b1 + v) / 3
import { ALONG } from "../wgsl/update.js";
import { literal } from "../wgsl/wide.js";
import { COMMON_PARAMETERS, type GpuTypeRow } from "./type_row.js";

const third = literal(1 / 3);
const wgsl =
  ALONG +
  /* wgsl */ `
fn project_slot() {
  let printed = now.own1 != 0.0;
  let factor = select(4.0, 2.0, printed);
  let divisor = select(${literal(1 / 9)}, ${literal(1 / 6)}, printed);
  let stencil = load_stencil();
  let d = (stencil[2].xyz - stencil[0].xyz) + (stencil[2].xyz - stencil[1].xyz);
  let length = length_of(d);
  let value = length * ${third} - (rest_at(0u) + now.own0);
  let weight = (stencil[0].w + stencil[1].w + factor * stencil[2].w) * divisor;
  update_along(stencil, d, length, Shares(-${third}, -${third}, ${literal(2 / 3)}), value, weight);
}
`;

export const triangle: GpuTypeRow = {
  name: "triangle",
  cardinality: 3,
  dimension: 1,
  restCount: 1,
  wgsl,
  parameters: [...COMMON_PARAMETERS, "rigidity", "relation", "weights", "kappa"],
  own: (p) => [p.kappa ?? 0, p.weights === "printed" ? 1 : 0],
};
