// Names of all that can be set, as the library has them. Labels, sentences, units and ranges are in Descriptors.
import type { PropertyRow } from "./descriptors.js";
import type { ConstraintTypeName, MeasureName, StageName } from "./generated/properties.js";
import type { Memory } from "./memory.js";

/** A property or parameter. */
export interface PropertyName {
  name: string;
  kind: PropertyRow["kind"];
  /** Names of the values of a choice; empty for other kinds. */
  choices: string[];
}

/** Names of all that can be set. */
export interface Names {
  groups: { id: string; properties: PropertyName[] }[];
  types: { name: ConstraintTypeName; particles: number; parameters: PropertyName[] }[];
  measures: MeasureName[];
  stages: StageName[];
}

/** In the order of the library's enumeration. */
const KINDS = ["number", "integer", "boolean", "choice", "vector", "layer", "layers"] as const;

/** All names that a call gives for 0, 1, 2... */
function listed<T>(memory: Memory, call: (i: number) => number, of: (name: string, i: number) => T): T[] {
  const found: T[] = [];
  for (let at = call(0); at !== 0; at = call(found.length)) found.push(of(memory.text(at), found.length));
  return found;
}

/** Asks the library (bindings/wasm/names.c). */
export function namesOf(memory: Memory): Names {
  const { exports } = memory;
  const same = <T>(name: string) => name as T;
  const rows = (owner: number) =>
    listed(memory, (i) => exports.row_name(owner, i), (name, i): PropertyName => {
      const kind = KINDS[memory.values[0] as number] as PropertyName["kind"];
      const choices = kind === "choice" ? listed(memory, (k) => exports.choice_name(owner, i, k), same<string>) : [];
      return { name, kind, choices };
    });
  return {
    groups: listed(memory, (i) => exports.owner_name(i), (id, i) => ({ id, properties: rows(i) })),
    types: listed(memory, (i) => exports.owner_name(~i), (name, i) => {
      const particles = memory.values[0] as number;
      return { name: name as ConstraintTypeName, particles, parameters: rows(~i) };
    }),
    measures: listed(memory, (i) => exports.measure_name(i), same<MeasureName>),
    stages: listed(memory, (i) => exports.stage_name(i), same<StageName>),
  };
}
