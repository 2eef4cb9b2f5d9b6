// Every property of the descriptors is implemented by the GPU or reported, also one that nobody has thought of. Worlds are plain objects
// filled from the descriptors of the package `pliant`; no GPU is needed.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { DescriptorsLike, PropertyLike } from "../src/differences.js";
import { findDifferences, gpuTypes, KNOWN, type WorldLike } from "../src/index.js";

interface Row extends PropertyLike {
  readonly kind: string;
  readonly maximum?: number | null;
  readonly choices?: readonly { readonly name: string }[];
}
interface Rows extends DescriptorsLike {
  readonly groups: (Omit<DescriptorsLike["groups"][0], "properties"> & { properties: Row[] })[];
  readonly types: { readonly name: string; readonly parameters: Row[] }[];
}

const PACKAGE = process.env.PLIANT_PACKAGE ?? new URL("../../../package", import.meta.url).pathname;
const module = join(PACKAGE, "dist/descriptors-module.js");
const skip = existsSync(module) ? false : `${module} has not been built`;
const real = skip ? null : ((await import(module)) as { descriptors: Rows }).descriptors;

const invented = (owner: string): Row => ({ name: `humidity_of_${owner}`, label: "Humidity", kind: "number", default: 0 });

/** The descriptors with one more property in each group and type, and one more group. */
function extended(): Rows {
  const rows = structuredClone(real!);
  for (const group of rows.groups) group.properties.push(invented(group.id));
  for (const type of rows.types) type.parameters.push(invented(type.name));
  rows.groups.push({ id: "weather", label: "Weather", target: "deformables[].weather", properties: [invented("weather")] });
  return rows;
}

/** The value of a property that is implemented: its default, or the only one that the GPU implements. */
function implemented(group: string, row: Row): unknown {
  const known = KNOWN[group] ?? {};
  const one = typeof known === "string" ? undefined : known[row.name];
  return typeof one === "object" ? one.only : row.default;
}

function otherThan(value: unknown, row: Row): unknown {
  switch (row.kind) {
    case "boolean":
      return !value;
    case "choice":
      return row.choices!.find((one) => one.name !== value)!.name;
    case "vector":
      return [0.25, 0.5, 0.75];
    case "layers":
      return [3, 4];
    default:
      return row.default === null ? 7 : Number(row.default) + 1 <= (row.maximum ?? Infinity) ? Number(row.default) + 1 : Number(row.default) / 2;
  }
}

/** A world of plain objects with the defaults of the descriptors, or the one value that the GPU implements; a set of each type that it projects. */
function makeWorld(rows: Rows): { world: WorldLike; values: Record<string, Record<string, unknown>> } {
  const values: Record<string, Record<string, unknown>> = {};
  for (const { id, properties } of rows.groups) {
    values[id] = Object.fromEntries(properties.map((row) => [row.name, implemented(id, row)]));
  }
  for (const { name, parameters } of rows.types) values[`type ${name}`] = Object.fromEntries(parameters.map((row) => [row.name, row.default]));
  const constraintSets = gpuTypes.map((type) => ({
    type: type.name,
    constraintCount: 1,
    read: (name: string) => values[`type ${type.name}`]![name],
    at: () => ({ particles: [0, 1, 2], rest: [] }),
    sequence: () => ({ particles: [], rest: [], scales: [] }),
  }));
  const deformable = {
    vertexCount: 3,
    stride: 3,
    positions: [0, 5, 0, 0.1, 5, 0, 0, 5, 0.1],
    velocities: new Array(9).fill(0),
    mesh: { topology: { positions: [0, 5, 0, 0.1, 5, 0, 0, 5, 0.1], edges: [0, 1, 1, 2, 2, 0], triangles: [0, 1, 2] } },
    properties: values["deformable"],
    tearing: values["tearing"],
    plate: values["plate"],
    material: values["material"],
    weather: values["weather"],
    attachments: [{ properties: values["attachment"] }],
    constraintSets,
    copyInverseMasses: () => [1, 1, 1],
  };
  const collider = { pose: { position: [0, 0, 0], rotation: [0, 0, 0, 1] }, properties: values["collider"] };
  // The world of the package has the properties of contact among its settings.
  values["settings"] = values["contact"] = { ...values["settings"], ...values["contact"], air_density: 1 };
  return { world: { settings: values["settings"], deformables: [deformable], colliders: [collider] } as unknown as WorldLike, values };
}

/** Gives the properties in `when` values with which the property has an effect. */
function enable(row: Row, group: Record<string, unknown>, settings: Record<string, unknown>): void {
  for (const { path, is, is_not } of row.when ?? []) {
    const [scope, name] = path.split(".") as [string, string?];
    const target = name === undefined ? group : settings;
    const [key, value] = [name ?? scope, is ? is[0] : 1];
    assert.ok(!is_not?.includes(value), `${row.name}: ${path}`);
    target[key] = value;
  }
}

test("a world with implemented values only has no differences", { skip }, () => {
  const { world } = makeWorld(real!);
  assert.deepEqual(findDifferences(world, real!), []);
});

test("each property that is not known is reported by its label and path, also an invented one", { skip }, () => {
  const rows = extended();
  let reported = 0;
  const check = (row: Row, owner: string, isKnown: boolean): void => {
    const { world, values } = makeWorld(rows);
    enable(row, values[owner]!, values["settings"]!);
    values[owner]![row.name] = otherThan(implemented(owner, row), row);
    const before = makeWorld(rows);
    enable(row, before.values[owner]!, before.values["settings"]!);
    const found = findDifferences(world, rows).filter(({ sentence }) => sentence.includes(`${row.label} (`) && sentence.includes(`.${row.name})`));
    assert.equal(found.length, isKnown ? 0 : 1, `${owner}.${row.name}: ${found.map((one) => one.sentence).join(" ") || "neither known nor reported"}`);
    reported += found.length;
    for (const { fix } of found)
      if (fix) {
        values[owner]![row.name] = fix.value;
        assert.deepEqual(findDifferences(world, rows), findDifferences(before.world, rows), `${fix.path} = ${fix.value}`);
      }
  };
  for (const group of rows.groups) {
    const known = KNOWN[group.id] ?? {};
    for (const row of group.properties) check(row, group.id, typeof known === "string" || typeof known[row.name] === "string");
  }
  for (const { name, parameters } of gpuTypes)
    for (const row of rows.types.find((type) => type.name === name)!.parameters)
      check(row, `type ${name}`, row.name === "hardening" || (parameters as readonly string[]).includes(row.name));
  assert.ok(reported > 20 + gpuTypes.length, `${reported} were reported`);
});

test("a value that cannot be read is reported", { skip }, () => {
  const rows = extended();
  const { world } = makeWorld(rows);
  const found = findDifferences(world, rows).map((one) => one.sentence);
  assert.deepEqual(found, ["The GPU does not implement Humidity (world.humidity_of_world), which cannot be read."]);
});

test("known properties are properties of the library", { skip }, () => {
  for (const [id, known] of Object.entries(KNOWN)) {
    const group = real!.groups.find((one) => one.id === id);
    assert.ok(group, id);
    if (typeof known !== "string")
      for (const name of Object.keys(known)) assert.ok(group.properties.some((row) => row.name === name), `${id}.${name}`);
  }
  for (const type of gpuTypes)
    for (const name of type.parameters) assert.ok(real!.types.find((one) => one.name === type.name)!.parameters.some((row) => row.name === name), `${type.name}.${name}`);
});
