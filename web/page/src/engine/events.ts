// What hands do to a run, as data: each event acts before the step of the frame under which the log has it.
import type { V3 } from "../base/math.ts";

export interface Pin { id: number; deformable: number; particles: number[]; shift: V3 }
export interface Ball { frame: number; from: V3; velocity: V3; radius: number }

export type Event =
  | { kind: "set"; path: string; value: unknown }
  | { kind: "remake"; overrides: [string, unknown][] }
  | { kind: "pin"; pin: Pin }
  | { kind: "unpin"; id: number }
  | { kind: "move"; id: number; shift: V3 }
  | { kind: "cut"; deformable: number; point: V3; normal: V3; reach: number }
  | { kind: "ball"; ball: Ball }
  | { kind: "grab"; id: number; deformable: number; vertex: number; radius: number; strength: number; target: V3 }
  | { kind: "hand"; id: number; target: V3 }
  | { kind: "release"; id: number };
