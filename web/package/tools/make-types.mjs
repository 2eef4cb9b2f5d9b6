// Makes src/generated/properties.ts, the types of everything that can be set, from the library's descriptors:
//
//   pliant models --json | node make-types.mjs > ../src/generated/properties.ts
//
// docs/descriptors.md says what the keys of the JSON text mean. The test test/types.test.mjs holds the file against the library.
import { readFileSync } from "node:fs";

/** Interfaces by the group that they come from; a group that is missing here stops the program. */
const INTERFACES = {
  world: "WorldProperties",
  settings: "SettingsProperties",
  contact: "ContactProperties",
  deformable: "DeformableProperties",
  tearing: "TearingProperties",
  plate: "PlateProperties",
  material: "MaterialProperties",
  attachment: "AttachmentProperties",
  collider: "ColliderProperties",
};

const KINDS = {
  number: "number",
  integer: "number",
  boolean: "boolean",
  vector: "VectorLike",
  layer: "number",
  layers: "readonly number[]",
};

function typeOf(property) {
  if (property.kind === "choice") return property.choices.map((choice) => JSON.stringify(choice.name)).join(" | ");
  const type = KINDS[property.kind];
  if (!type) throw new Error(`${property.name} is of the unknown kind '${property.kind}'`);
  return type;
}

const bound = (value, infinite) => (value === null || value === undefined ? infinite : String(value));

/** What the comment says behind the summary: unit, range and default. */
function facts(property) {
  const said = [];
  if (property.unit) said.push(`[${property.unit}]`);
  if (property.kind === "number" || property.kind === "integer" || property.kind === "vector")
    said.push(`${bound(property.minimum, "-infinity")} to ${bound(property.maximum, "infinity")}`);
  if (property.default !== undefined && property.default !== null)
    said.push(`default ${JSON.stringify(property.default).replaceAll(",", ", ")}`);
  if (property.zero) said.push(`0 is ${property.zero}`);
  const text = said.join("; ");
  return text ? ` ${text[0].toUpperCase()}${text.slice(1)}.` : "";
}

const lines = [];
const write = (text = "") => lines.push(text);

function writeInterface(name, summary, properties) {
  write(`/** ${summary} */`);
  write(`export interface ${name} {`);
  for (const property of properties) {
    write(`  /** ${property.summary}${facts(property)} */`);
    write(`  ${property.name}: ${typeOf(property)};`);
  }
  write("}");
  write();
}

const pascal = (name) => name.replace(/(^|_)(.)/g, (_, __, letter) => letter.toUpperCase());
const union = (rows) => rows.map((row) => JSON.stringify(row.name)).join("\n  | ");

const descriptors = JSON.parse(readFileSync(0, "utf8"));
write("// Made by tools/make-types.mjs from the descriptors of the library: do not edit.");
write('import type { VectorLike } from "../vectors.js";');
write();
for (const group of descriptors.groups) {
  const name = INTERFACES[group.id];
  if (!name) throw new Error(`The group '${group.id}' has no interface in INTERFACES.`);
  writeInterface(name, group.summary, group.properties);
}
for (const type of descriptors.types)
  writeInterface(`${pascal(type.name)}Parameters`, `Parameters of "${type.name}". ${type.summary}`, type.parameters);
write("/** Parameters of each constraint type, by its name. */");
write("export interface ConstraintParameters {");
for (const type of descriptors.types) write(`  ${type.name}: ${pascal(type.name)}Parameters;`);
write("}");
write();
write("/** Names of the constraint types. */");
write("export type ConstraintTypeName = keyof ConstraintParameters;");
write();
write("/** Names of the generators, which find the stencils of constraints in a mesh. */");
write(`export type GeneratorName =\n  | ${union(descriptors.generators)};`);
write();
write("/** Names of the measures that colour a surface. */");
write(`export type MeasureName =\n  | ${union(descriptors.measures)};`);
write();
const painted = (elements) => descriptors.attributes.filter((row) => row.painted && elements.includes(row.element));
const once = (rows) => rows.filter((row, i) => rows.findIndex((other) => other.name === row.name) === i);
write("/** Attributes that Deformable.paint accepts. */");
write(`export type PaintedName =\n  | ${union(once(painted(["vertex", "triangle", "constraint"])))};`);
write();
write("/** Attributes that ConstraintSet.paint accepts. */");
write(`export type PaintedConstraintName =\n  | ${union(painted(["constraint"]))};`);
write();
write("/** Attributes of vertices and triangles. */");
write(`export type AttributeName =\n  | ${union(once(descriptors.attributes.filter((row) => row.element !== "constraint")))};`);
write();
write("/** Attributes of constraints. */");
write(`export type ConstraintAttributeName =\n  | ${union(descriptors.attributes.filter((row) => row.element === "constraint"))};`);
write();
write("/** Names of the stages of a step, as statistics time them. */");
write(`export type StageName =\n  | ${union(descriptors.stages)};`);
process.stdout.write(`${lines.join("\n")}\n`);
