// A constraint type on the graphics card: a row of type_table.ts.

/** Parameters of a set by the names of docs/constraints.md; what is missing has the library's default. */
export interface GpuParameters {
  /** [m/N and the like], >= 0. Default 0, rigid. XPBD. */
  compliance?: number;
  /** Damping time [s], >= 0. Default 0. XPBD. */
  damping?: number;
  /** Flexural rigidity [N m]; 0 for none. Needs the scales of the set. XPBD. */
  rigidity?: number;
  /** 0..1. Default 1. PBD. */
  stiffness?: number;
  /** Triangle bending: addition to the rest height [m]. */
  kappa?: number;
  relation?: "equal" | "at_most" | "at_least";
  weights?: "exact" | "printed";
  /** Dihedral angle: largest change of the angle in one projection [rad]. Default 0.3. */
  change_limit?: number;
}

export interface GpuTypeRow {
  readonly name: string;
  /** Particles of a constraint, values of C, and rest values. */
  readonly cardinality: number;
  readonly dimension: number;
  readonly restCount: number;
  /** Parameters of the type that the GPU implements; others are reported (differences.ts). */
  readonly parameters: readonly (keyof GpuParameters)[];
  /** WGSL that defines project_slot, with the updates of wgsl/update.ts that it uses. */
  readonly wgsl: string;
  /** The parameters own0 and own1 of the pass. */
  own(parameters: GpuParameters): [number, number];
}

export const COMMON_PARAMETERS = ["stiffness", "compliance", "damping"] as const;
export const noOwn = (): [number, number] => [0, 0];
