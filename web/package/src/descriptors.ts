// Rows of everything that can be set, as the library describes them (docs/descriptors.md).
import type { ConstraintTypeName, GeneratorName, MeasureName, StageName } from "./generated/properties.js";

/** One property or parameter. */
export interface PropertyRow {
  name: string;
  label: string;
  kind: "number" | "integer" | "boolean" | "choice" | "vector" | "layer" | "layers";
  unit: string;
  summary: string;
  help?: string;
  default: unknown;
  minimum?: number | null;
  maximum?: number | null;
  soft?: { minimum: number; maximum: number; times: "one" | "mean_edge" | "compliance_scale" };
  scale?: "linear" | "square" | "log";
  step?: number;
  zero?: string;
  choices?: { name: string; label: string; summary: string }[];
  change: "live" | "remake" | "restart";
  animates: boolean;
  section: string;
  when?: { path: string; is?: string[]; is_not?: string[] }[];
  instead_of?: string;
  saturates?: "above" | "below";
}

/** One constraint type. */
export interface ConstraintTypeRow {
  name: ConstraintTypeName;
  label: string;
  summary: string;
  formula: string;
  source: string;
  unit: string;
  particles: number;
  values: number;
  bending: boolean;
  generator: GeneratorName | null;
  generators: GeneratorName[];
  parameters: PropertyRow[];
}

/** The properties of one definition. */
export interface GroupRow {
  id: string;
  label: string;
  summary: string;
  target: string;
  definition: string;
  properties: PropertyRow[];
}

/** The properties of one owner in a part of a panel: those of `sections`. */
export interface PanelRows {
  prefix: "bend" | "stretch" | "others" | "cloth" | "settings";
  /** Null: the parameters of the type of the set, or the group "plate". Of a group, the properties that change live. */
  group: string | null;
  sections: string[];
}

/** All rows. */
export interface Descriptors {
  descriptors: number;
  pliant: string;
  sections: { id: string; label: string; open: boolean }[];
  /** Parts of a panel in their order. */
  panel: { id: string; label: string; open: boolean; rows: PanelRows[] }[];
  groups: GroupRow[];
  types: ConstraintTypeRow[];
  generators: { name: GeneratorName; label: string; summary: string }[];
  measures: { name: MeasureName; label: string; summary: string; unit: string; signed: boolean }[];
  stages: { name: StageName; label: string; summary: string }[];
  /** Presets of materials with measured numbers; `source` says where they come from, and `panel` has values by short path. */
  materials: { name: string; label: string; summary: string; source: string; values: Record<string, number>; panel: Record<string, number> }[];
}
