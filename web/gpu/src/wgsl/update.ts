// The update rule of src/constraints/kernel.h in WGSL, PBD and XPBD, for one constraint an invocation. A module has the constants
// of its type (N particles, D values, RESTS rest values) and defines project_slot.
import { WIDE } from "./wide.js";

/**
 * Bytes of the uniform block Pass. Its `one` is 1, which no compiler knows: where two factors are equal by a formula, one of them
 * is multiplied by it, lest SPIRV-Tools make a b + a c into a (b + c), which rounds otherwise.
 */
export const PASS_BYTES = 48;

/** Bits of Pass.flags; zeroRest << j says that rest value j is 0 in every constraint of the set. */
export const FLAG = { first: 1, keepsLambda: 2, keepsLost: 4, scaled: 8, zeroRest: 256 } as const;

const BINDINGS = /* wgsl */ `
struct Pass {
  begin: u32, count: u32, total: u32, flags: u32,
  compliance: f32, inverse_rigidity: f32, damping: f32, stiffness: f32,
  sense: u32, own0: f32, own1: f32, one: f32,
}
@group(0) @binding(0) var<uniform> now: Pass;
@group(0) @binding(1) var<storage, read_write> particles: array<vec4f>;
@group(0) @binding(2) var<storage, read> starts: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> lost: array<vec4f>;
@group(0) @binding(4) var<storage, read> members: array<u32>;
@group(0) @binding(5) var<storage, read> rests: array<f32>;
@group(0) @binding(6) var<storage, read_write> multipliers: array<f32>;
`;

const RULE = /* wgsl */ `
alias Stencil = array<vec4f, N>;
alias Vectors = array<vec3f, N>;
alias Shares = array<f32, N>;
var<private> slot: u32;

fn has(flag: u32) -> bool { return (now.flags & flag) != 0u; }
fn is_zero_rest(j: u32) -> bool { return has(256u << j); }
fn place_of(k: u32) -> u32 { return members[k * now.total + slot]; }
fn rest_at(j: u32) -> f32 { return rests[j * now.total + slot]; }
fn start_of(k: u32) -> vec3f { return starts[place_of(k)].xyz; }

fn load_stencil() -> Stencil {
  var stencil: Stencil;
  for (var k = 0u; k < N; k++) { stencil[k] = particles[place_of(k)]; }
  return stencil;
}

// Moves particle k by a scaled vector; what rounding takes from the move is kept for the velocities.
fn move_particle(k: u32, particle: vec4f, along: vec3f, scale: f32) {
  let place = place_of(k);
  let step = along * scale;
  let to = particle.xyz + step;
  if (has(4u)) { lost[place] = vec4f(lost[place].xyz + (step - (to - particle.xyz)), 0.0); }
  particles[place] = vec4f(to, particle.w);
}

fn compliance_of() -> f32 {
  var compliance = now.compliance;
  if (has(8u)) { compliance = compliance + rest_at(RESTS) * now.inverse_rigidity; }
  return compliance;
}
fn lambda_of(d: u32) -> f32 {
  if (has(1u)) { return 0.0; }
  return multipliers[d * now.total + slot];
}
fn keep_lambda(d: u32, lambda: f32) {
  if (has(2u)) { multipliers[d * now.total + slot] = lambda; }
}

fn force_of(d: u32, value: f32, drift: f32) -> f32 {
  var force = -now.stiffness * value;
  if (!has(1u)) { force = force - compliance_of() * lambda_of(d); }
  if (now.damping != 0.0) { force = force - now.damping * drift; }
  return force;
}
fn damped(weight: f32) -> f32 {
  if (now.damping != 0.0) { return (1.0 + now.damping) * weight; }
  return weight;
}
fn resistance_of(weight: f32) -> f32 { return damped(weight) + compliance_of(); }

// Limits the change so that the accumulated multiplier keeps the sign of an active inequality.
fn clamp_change(lambda: f32, change: f32) -> f32 {
  if (now.sense == 1u) { return min_of(lambda + change, 0.0) - lambda; }
  if (now.sense == 2u) { return max_of(lambda + change, 0.0) - lambda; }
  return change;
}

fn multiplier(d: u32, value: f32, weight: f32, drift: f32) -> f32 {
  let force = force_of(d, value, drift);
  let lambda = lambda_of(d);
  let change = clamp_change(lambda, force * inverse_above(resistance_of(weight), 0.0));
  keep_lambda(d, lambda + change);
  return change;
}

@compute @workgroup_size(64)
fn project(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) groups: vec3u,
           @builtin(local_invocation_index) local: u32) {
  let number = number_of(workgroup, groups, local);
  if (number >= now.count) { return; }
  slot = now.begin + number;
  project_slot();
}
`;

/** Corrections along one direction d; the gradient of particle k is shares[k] d / |d|. */
export const ALONG = /* wgsl */ `
fn update_along(stencil: Stencil, d: vec3f, length: f32, shares: Shares, value: f32, weight: f32) {
  var drift = 0.0;
  let lambda = lambda_of(0u);
  if (now.damping != 0.0) {
    for (var k = 0u; k < N; k++) { drift = drift + shares[k] * dot_of(d, stencil[k].xyz - start_of(k)); }
    drift = drift * inverse_above(length, 0.0);
  }
  var scale = force_of(0u, value, drift) * inverse_above(resistance_of(weight) * length, 0.0);
  if (now.sense != 0u) { scale = clamp_change(lambda, scale * length) * inverse_above(length, 0.0); }
  keep_lambda(0u, lambda + scale * length);
  for (var k = 0u; k < N; k++) { move_particle(k, stencil[k], d, stencil[k].w * (shares[k] * scale)); }
}
`;

/** A vector constraint whose gradients are weights[k] times the identity. */
export const LINEAR = /* wgsl */ `
fn multipliers_of(value: vec3f, weight: f32, drift: vec3f) -> vec3f {
  let x = multiplier(0u, value.x, weight, drift.x);
  let y = multiplier(1u, value.y, weight, drift.y);
  let z = multiplier(2u, value.z, weight, drift.z);
  return vec3f(x, y, z);
}

fn update_linear(stencil: Stencil, weights: Shares, value: vec3f) {
  var weight = 0.0;
  var drift = vec3f(0.0);
  for (var k = 0u; k < N; k++) { weight = weight + stencil[k].w * (weights[k] * weights[k]); }
  if (now.damping != 0.0) {
    for (var k = 0u; k < N; k++) { drift = drift + (stencil[k].xyz - start_of(k)) * weights[k]; }
  }
  let change = multipliers_of(value, weight, drift);
  for (var k = 0u; k < N; k++) { move_particle(k, stencil[k], change, stencil[k].w * weights[k]); }
}
`;

/** Gradients d[k] / length, without dividing by the length, and at most the change `most` of C in one projection. */
export const OVER = /* wgsl */ `
fn update_over(stencil: Stencil, d: Vectors, length: f32, value: f32, weight: f32, most: f32) {
  var drift = 0.0;
  let lambda = lambda_of(0u);
  if (now.damping != 0.0) {
    for (var k = 0u; k < N; k++) { drift = drift + dot_of(d[k], stencil[k].xyz - start_of(k)); }
    drift = drift * inverse_above(length, 0.0);
  }
  var force = force_of(0u, value, drift);
  var resistance = damped(weight) + compliance_of() * (length * length);
  let beyond = most * resistance < abs_of(force) * weight;
  force = select(force, max_of(-most, min_of(most, force)), beyond);
  resistance = select(resistance, weight, beyond);
  var scale = force * length * inverse_above(resistance, 0.0);
  if (now.sense != 0u) { scale = clamp_change(lambda, scale * length) * inverse_above(length, 0.0); }
  keep_lambda(0u, lambda + scale * length);
  for (var k = 0u; k < N; k++) { move_particle(k, stencil[k], d[k], stencil[k].w * scale); }
}
`;

/** The module of a type from its sizes and its own text, which defines project_slot. */
export function projectionModule(sizes: { cardinality: number; dimension: number; restCount: number }, own: string): string {
  const constants = `const N = ${sizes.cardinality}u;\nconst RESTS = ${sizes.restCount}u;\n`;
  return constants + WIDE + BINDINGS + RULE + own;
}
