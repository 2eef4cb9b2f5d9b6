// Isometric bending after Bergou et al. 2006 (src/constraints/types/isometric.c, linear_form.h).
//   C = sum K_i x_i, and for curved rest shapes minus s0 along the normal n = a x b,
//   a = x1 - x0,  b = K3 (x3 - x0) - K2 (x2 - x0).
// Rest values: K of p2, p3, p4; s0; the least divisor of n.
import { LINEAR } from "../wgsl/update.js";
import { type GpuTypeRow, COMMON_PARAMETERS, noOwn } from "./type_row.js";

const wgsl =
  LINEAR +
  /* wgsl */ `
fn update_curved(stencil: Stencil, weights: Shares, sum: vec3f) {
  let x0 = stencil[0].xyz;
  let a = stencil[1].xyz - x0;
  let side2 = -now.one * weights[2];
  let side3 = now.one * weights[3];
  let side0 = -(side2 + side3);
  let b = (stencil[2].xyz - x0) * side2 + (stencil[3].xyz - x0) * side3;
  let least = rest_at(4u);
  let s0 = rest_at(3u);
  var normal = cross_of(a, b);
  let reach = length_of(normal);
  let per_reach = inverse_above(max_of(reach, least), 0.0);
  normal = normal * per_reach;
  let value = sum - normal * s0;
  let along = value * inverse_above(length_of(value), 0.0);
  var q = normal * select(dot_of(along, normal), 0.0, reach < least) - along;
  q = q * (s0 * per_reach);
  var of_a = cross_of(b, q);
  var of_b = cross_of(q, a);
  let aa = dot_of(of_a, of_a);
  let bb = dot_of(of_b, of_b);
  let ab = dot_of(of_a, of_b);
  let ua = 2.0 * dot_of(of_a, along);
  let ub = 2.0 * dot_of(of_b, along);

  var squares: Shares;
  squares[0] = weights[0] * weights[0] + (aa - weights[0] * ua);
  squares[0] = squares[0] + side0 * (side0 * bb + weights[0] * ub);
  squares[0] = squares[0] - 2.0 * side0 * ab;
  squares[1] = weights[1] * weights[1] + (aa + weights[1] * ua);
  squares[2] = weights[2] * weights[2] + side2 * (side2 * bb + weights[2] * ub);
  squares[3] = weights[3] * weights[3] + side3 * (side3 * bb + weights[3] * ub);
  var weight = 0.0;
  for (var k = 0u; k < N; k++) { weight = weight + stencil[k].w * squares[k]; }

  var drift = vec3f(0.0);
  if (now.damping != 0.0) {
    var moved: Vectors;
    for (var k = 0u; k < N; k++) {
      moved[k] = stencil[k].xyz - start_of(k);
      drift = drift + moved[k] * weights[k];
    }
    var turning = dot_of(of_a, moved[0] * -1.0);
    turning = turning + side0 * dot_of(of_b, moved[0]);
    turning = turning + dot_of(of_a, moved[1] * 1.0);
    turning = turning + side2 * dot_of(of_b, moved[2]);
    turning = turning + side3 * dot_of(of_b, moved[3]);
    drift = select(drift, along * (dot_of(drift, along) + turning), 0.0 < abs_of(s0));
  }
  let change = multipliers_of(value, weight, drift);
  let share = dot_of(change, along);
  of_a = of_a * share;
  of_b = of_b * share;
  move_particle(0u, stencil[0], (change * weights[0] - of_a) + of_b * side0, stencil[0].w);
  move_particle(1u, stencil[1], change * weights[1] + of_a, stencil[1].w);
  move_particle(2u, stencil[2], change * weights[2] + of_b * side2, stencil[2].w);
  move_particle(3u, stencil[3], change * weights[3] + of_b * side3, stencil[3].w);
}

fn project_slot() {
  let stencil = load_stencil();
  var weights: Shares;
  var others = 0.0;
  var sum = vec3f(0.0);
  for (var k = 1u; k < N; k++) {
    weights[k] = rest_at(k - 1u);
    others = others + weights[k];
    sum = sum + (stencil[k].xyz - stencil[0].xyz) * weights[k];
  }
  weights[0] = -others;
  if (is_zero_rest(3u)) { update_linear(stencil, weights, sum); } else { update_curved(stencil, weights, sum); }
}
`;

export const isometric: GpuTypeRow = { name: "isometric", cardinality: 4, dimension: 3, restCount: 5, parameters: [...COMMON_PARAMETERS, "rigidity"], wgsl, own: noOwn };
