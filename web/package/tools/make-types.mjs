// Writes src/generated from wasm/pliant-scenes.wasm (scripts/build-web): the types of all properties from the descriptors of the library,
// of which docs/descriptors.md explains the keys, and the type of its exports.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** The descriptors, by a direct call: the JavaScript of the package cannot be compiled before its types exist. */
function descriptorsOf(module) {
  const imports = {}, BAD_DESCRIPTOR = 8; // There are no files.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => BAD_DESCRIPTOR;
  const { exports } = new WebAssembly.Instance(module, imports);
  exports._initialize();
  const from = exports.descriptors_json();
  if (!from) throw new Error("the module describes nothing");
  const text = new Uint8Array(exports.memory.buffer, from);
  return JSON.parse(new TextDecoder().decode(text.subarray(0, text.indexOf(0))));
}

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

const at = (path) => new URL(`../${path}`, import.meta.url);
const module = new WebAssembly.Module(readFileSync(at("wasm/pliant-scenes.wasm")));
const descriptors = descriptorsOf(module);
write("// Made by tools/make-types.mjs from the descriptors of the library: do not edit.");
write('import type { VectorLike } from "../vectors.js";');
write();
for (const group of descriptors.groups) writeInterface(`${pascal(group.id)}Properties`, group.summary, group.properties);
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
mkdirSync(at("src/generated"), { recursive: true });
writeFileSync(at("src/generated/properties.ts"), `${lines.join("\n")}\n`);

const calls = WebAssembly.Module.exports(module).filter((item) => item.kind === "function" && item.name !== "_initialize");
writeFileSync(
  at("src/generated/exports.ts"),
  `// Made by tools/make-types.mjs from the exports of bindings/wasm: do not edit.
type Call = (...values: number[]) => number;

/** Addresses, counts and statuses are numbers; bool is 0 or 1. The build without scenes lacks the functions of bindings/wasm/scene. */
export interface WasmExports {
  readonly memory: WebAssembly.Memory;
${calls.map((item) => `  readonly ${item.name}: Call;`).join("\n")}
}
`,
);
