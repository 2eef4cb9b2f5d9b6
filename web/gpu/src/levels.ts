// What a graphics card may do at a time: constraints of one level share no particle.
//
//   in the given order   a constraint's level is one more than the highest of those before it that share a particle with it, so
//                        that going level by level gives the bits of going one by one (docs/decisions/web-page.md);
//   by colour            the first level that no neighbour has, which needs fewest levels but is another order.

export type GpuOrder = "given" | "coloured";

export interface Levels {
  /** The constraints, level by level; within a level in their order. */
  order: Uint32Array;
  /** Where each level begins in `order`, and the end. */
  offsets: Uint32Array;
}

function levelsInOrder(particles: ArrayLike<number>, cardinality: number, particleCount: number): Uint32Array {
  const count = particles.length / cardinality;
  const next = new Uint32Array(particleCount);
  const levels = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let level = 0;
    for (let k = 0; k < cardinality; k++) level = Math.max(level, next[particles[i * cardinality + k]!]!);
    for (let k = 0; k < cardinality; k++) next[particles[i * cardinality + k]!] = level + 1;
    levels[i] = level;
  }
  return levels;
}

/** The most constraints that a particle is of. */
function greatestDegree(particles: ArrayLike<number>, particleCount: number): number {
  const degrees = new Uint32Array(particleCount);
  let most = 0;
  for (let i = 0; i < particles.length; i++) most = Math.max(most, ++degrees[particles[i]!]!);
  return most;
}

function levelsByColour(particles: ArrayLike<number>, cardinality: number, particleCount: number): Uint32Array {
  const count = particles.length / cardinality;
  const words = Math.ceil((cardinality * (greatestDegree(particles, particleCount) - 1) + 1) / 32);
  const taken = new Uint32Array(words * particleCount);
  const levels = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    for (let word = 0; ; word++) {
      let used = 0;
      for (let k = 0; k < cardinality; k++) used |= taken[words * particles[i * cardinality + k]! + word]!;
      if (~used === 0) continue;
      const bit = 31 - Math.clz32(~used & -~used);
      for (let k = 0; k < cardinality; k++) taken[words * particles[i * cardinality + k]! + word]! |= 1 << bit;
      levels[i] = 32 * word + bit;
      break;
    }
  }
  return levels;
}

/** Sorts the constraints of a set into levels. */
export function findLevels(particles: ArrayLike<number>, cardinality: number, particleCount: number, order: GpuOrder): Levels {
  const find = order === "given" ? levelsInOrder : levelsByColour;
  const levels = find(particles, cardinality, particleCount);
  let levelCount = 0;
  for (const level of levels) levelCount = Math.max(levelCount, level + 1);
  const offsets = new Uint32Array(levelCount + 1);
  for (const level of levels) offsets[level + 1]!++;
  for (let level = 0; level < levelCount; level++) offsets[level + 1]! += offsets[level]!;
  const places = offsets.slice();
  const sorted = new Uint32Array(levels.length);
  for (let i = 0; i < levels.length; i++) sorted[places[levels[i]!]!++] = i;
  return { order: sorted, offsets };
}
