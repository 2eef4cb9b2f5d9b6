// The soft hand of include/pliant/grab.h: where it holds, where its frame goes in a step, and its pull, a vector constraint
// C = x - t on each particle (src/world/grab.c, src/constraints/types/attachment_point.c).
//
// The library adds up positions in double. One workgroup does it here in pairs of floats, whose sum has some 48 bits.
import { PAIRS } from "./pairs.js";
import { LINEAR, projectionModule } from "./update.js";
import { WIDE } from "./wide.js";

/** Bytes of the uniform block Hand, and of the frame: where it is, where it was at the start and will be at the end of the step. */
export const HAND_BYTES = 32;
export const FRAME_BYTES = 48;

const BINDINGS = /* wgsl */ `
struct Hand { wanted: vec3f, dt: f32, reach: f32, count: u32, pad0: u32, pad1: u32 }
struct Frame { next: vec4f, from_position: vec4f, to_position: vec4f }
@group(0) @binding(0) var<uniform> hand: Hand;
@group(0) @binding(1) var<storage, read> particles: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read> members: array<u32>;
@group(0) @binding(4) var<storage, read_write> locals: array<f32>;
@group(0) @binding(5) var<storage, read_write> frame: Frame;
`;

const SUMS = /* wgsl */ `
var<workgroup> sums: array<Pair, 64>;

fn add_up(local: u32) -> vec3f {
  for (var half = 32u; half > 0u; half = half / 2u) {
    workgroupBarrier();
    if (local < half) { sums[local] = plus(sums[local], sums[local + half]); }
  }
  workgroupBarrier();
  return over(sums[0], one(vec3f(f32(hand.count)))).high;
}

fn middle_of(local: u32) -> vec3f {
  var sum = one(vec3f(0.0));
  for (var i = local; i < hand.count; i += 64u) { sum = plus(sum, one(particles[members[i]].xyz)); }
  workgroupBarrier();
  sums[local] = sum;
  return add_up(local);
}

fn speed_of(local: u32) -> vec3f {
  var sum = one(vec3f(0.0));
  for (var i = local; i < hand.count; i += 64u) { sum = plus(sum, one(velocities[members[i]].xyz)); }
  workgroupBarrier();
  sums[local] = sum;
  return add_up(local);
}

fn cut_to(v: vec3f, most: f32) -> vec3f {
  let length = length_of(v);
  return select(v, v * (most / select(1.0, length, length > most)), length > most);
}
`;

const KERNELS = /* wgsl */ `
// Takes hold where the particles are.
@compute @workgroup_size(64)
fn take(@builtin(local_invocation_index) local: u32) {
  let middle = middle_of(local);
  for (var i = local; i < hand.count; i += 64u) {
    let at = particles[members[i]].xyz - middle;
    locals[i] = at.x;
    locals[hand.count + i] = at.y;
    locals[2u * hand.count + i] = at.z;
  }
  if (local == 0u) {
    frame.next = vec4f(middle, 0.0);
    frame.from_position = vec4f(middle, 0.0);
    frame.to_position = vec4f(middle, 0.0);
  }
}

// Leads the frame towards the target by no more than the reach.
@compute @workgroup_size(64)
fn lead(@builtin(local_invocation_index) local: u32) {
  let here = middle_of(local);
  let there = here + speed_of(local) * hand.dt;
  if (local != 0u) { return; }
  let away = cut_to(hand.wanted - there, hand.reach);
  frame.from_position = vec4f(here + cut_to(frame.next.xyz - here, hand.reach), 0.0);
  frame.to_position = vec4f(there + away, 0.0);
  frame.next = frame.to_position;
}
`;

/** The kernels take and lead. */
export const HAND = WIDE + PAIRS + BINDINGS + SUMS + KERNELS;

const PULL =
  LINEAR +
  /* wgsl */ `
struct Frame { next: vec4f, from_position: vec4f, to_position: vec4f }
struct Head { change: vec3f, speed_limit: f32, step: f32, per_second: f32, share: f32, bounce: f32 }
@group(0) @binding(7) var<uniform> substep: Head;
@group(0) @binding(8) var<storage, read> frame: Frame;

fn project_slot() {
  let stencil = load_stencil();
  let position = frame.from_position.xyz * (1.0 - substep.share) + frame.to_position.xyz * substep.share;
  let wanted = vec3f(rest_at(0u), rest_at(1u), rest_at(2u)) + position;
  update_linear(stencil, Shares(1.0), stencil[0].xyz - wanted);
}
`;

/** The pull on each particle that it holds, as a constraint type of three rest values: its place in the frame. */
export const HAND_PULL = projectionModule({ cardinality: 1, dimension: 3, restCount: 3 }, PULL);
