// Dihedral angle after Mueller et al. 2006 and Bridson et al. 2003 (src/constraints/types/dihedral.c).
//   C = atan2((N1 x N2) . e / |e|, N1 . N2) - theta0
import { OVER } from "../wgsl/update.js";
import { ANGLE, literal } from "../wgsl/wide.js";
import { COMMON_PARAMETERS, type GpuTypeRow } from "./type_row.js";

const wgsl =
  ANGLE +
  OVER +
  /* wgsl */ `
fn angle_beyond_rest(sine: f32, cosine: f32) -> f32 {
  var angle = angle_of(sine, cosine);
  if (is_zero_rest(0u)) { return angle; }
  angle = angle - rest_at(0u);
  angle = angle - select(0.0, TWO_PI, PI < angle);
  return angle + select(0.0, TWO_PI, angle < -PI);
}

fn project_slot() {
  let stencil = load_stencil();
  let edge = stencil[1].xyz - stencil[0].xyz;
  let side3 = stencil[2].xyz - stencil[0].xyz;
  let side4 = stencil[3].xyz - stencil[0].xyz;
  let normal1 = cross_of(edge, side3);
  let normal2 = cross_of(side4, edge);
  let edge_square = dot_of(edge, edge);
  let edge_length = sqrt(edge_square);
  let square1 = dot_of(normal1, normal1);
  let square2 = dot_of(normal2, normal2);
  let bound = ${literal(1e-6 * 1e-6)} * (edge_square * edge_square);
  let sound = bound < square1 && bound < square2;
  let sine = dot_of(cross_of(normal1, normal2), edge);
  let cosine = dot_of(normal1, normal2) * edge_length;
  let value = select(0.0, angle_beyond_rest(sine, cosine), sound);
  let inverse1 = select(0.0, inverse_above(square1, 0.0), sound);
  let inverse2 = select(0.0, inverse_above(square2, 0.0), sound);
  var d: Vectors;
  d[2] = normal1 * -(edge_square * inverse1);
  d[3] = normal2 * -(edge_square * inverse2);
  d[1] = normal1 * (dot_of(side3, edge) * inverse1) + normal2 * (dot_of(side4, edge) * inverse2);
  d[0] = -((d[2] + d[3]) + d[1]);
  let wings = (stencil[2].w * inverse1 + stencil[3].w * inverse2) * (edge_square * edge_square);
  let weight = stencil[0].w * dot_of(d[0], d[0]) + stencil[1].w * dot_of(d[1], d[1]) + wings;
  update_over(stencil, d, edge_length, value, weight, now.own0);
}
`;

export const dihedral: GpuTypeRow = {
  name: "dihedral",
  cardinality: 4,
  dimension: 1,
  restCount: 1,
  wgsl,
  parameters: [...COMMON_PARAMETERS, "rigidity", "change_limit"],
  own: (p) => [p.change_limit ?? 0.3, 0],
};
