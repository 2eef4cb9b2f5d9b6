// Levels: no two constraints of one share a particle; the given order is kept between those that do; colours are few.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findLevels, type Levels } from "../src/levels.js";
import { makeSheet, randomFrom } from "./support/sheet.js";

function checkDisjoint(levels: Levels, particles: ArrayLike<number>, cardinality: number): void {
  for (let level = 0; level + 1 < levels.offsets.length; level++) {
    const seen = new Set<number>();
    for (let i = levels.offsets[level]!; i < levels.offsets[level + 1]!; i++)
      for (let k = 0; k < cardinality; k++) {
        const particle = particles[levels.order[i]! * cardinality + k]!;
        assert.ok(!seen.has(particle), `level ${level} has particle ${particle} twice`);
        seen.add(particle);
      }
  }
  assert.deepEqual([...levels.order].sort((a, b) => a - b), [...levels.order.keys()], "each constraint once");
}

function checkOrder(levels: Levels, particles: ArrayLike<number>, cardinality: number): void {
  const last = new Map<number, number>();
  for (const i of levels.order)
    for (let k = 0; k < cardinality; k++) {
      const particle = particles[i * cardinality + k]!;
      assert.ok((last.get(particle) ?? -1) < i, `constraint ${i} comes after a later one at particle ${particle}`);
      last.set(particle, i);
    }
}

test("random constraints, and a fan whose centre is in all of them", () => {
  const random = randomFrom(11);
  for (const cardinality of [2, 3, 4]) {
    const particles: number[] = [];
    for (let i = 0; i < 3000; i++) {
      const stencil = new Set<number>(i % 10 === 0 ? [0] : []);
      while (stencil.size < cardinality) stencil.add(Math.floor(500 * random()));
      particles.push(...stencil);
    }
    const given = findLevels(particles, cardinality, 500, "given");
    const coloured = findLevels(particles, cardinality, 500, "coloured");
    for (const levels of [given, coloured]) checkDisjoint(levels, particles, cardinality);
    checkOrder(given, particles, cardinality);
    assert.ok(coloured.offsets.length >= 300, "the centre alone needs 300 levels");
  }
});

test("a chain in order has a level for each link, and two colours", () => {
  const particles = Array.from({ length: 99 }, (_, i) => [i, i + 1]).flat();
  assert.equal(findLevels(particles, 2, 100, "given").offsets.length, 100);
  assert.equal(findLevels(particles, 2, 100, "coloured").offsets.length, 3);
});

test("a sheet's edges need few colours", () => {
  const { particles } = makeSheet().sets[0]!;
  assert.ok(findLevels(particles, 2, 4096, "coloured").offsets.length <= 11, "at most 10 colours for degree 6");
});

test("no constraints, no levels", () => {
  assert.equal(findLevels([], 4, 10, "given").order.length, 0);
  assert.equal(findLevels([], 4, 10, "coloured").order.length, 0);
});
