// The library at work: builds engine.c against the library that was built, and runs a scene of it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GpuDescription, Quadruple, Triple } from "../../src/index.js";

const SOURCE = new URL("../../../../../", import.meta.url).pathname;
export const BUILD = process.env.PLIANT_BUILD_DIR ?? join(SOURCE, "build/release");
export const DT = Math.fround(1 / 60);

/** The program, or null where the library has not been built. */
export function buildEngine(): string | null {
  const library = join(BUILD, "libpliant.a");
  if (!existsSync(library)) return null;
  const program = join(mkdtempSync(join(tmpdir(), "pliant-gpu-")), "engine");
  const source = join(SOURCE, "web/gpu/test/engine.c");
  execFileSync("cc", ["-std=c17", "-O1", `-I${join(SOURCE, "include")}`, source, "-o", program, library, "-lm", "-lpthread"]);
  return program;
}

export interface EngineScene extends GpuDescription {
  hold?: { particleCount: number; limit: number; reach: number };
  /** Positions and velocities after the steps. */
  after: number[];
  velocitiesAfter: number[];
}

/** Runs a scene, whose words engine.c explains. */
export function runEngine(program: string, scene: string): EngineScene {
  const output = execFileSync(program, scene.split(" "), { maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(output.toString()) as EngineScene;
}

// As in engine.c.
const f = Math.fround;
export const handAt = (step: number): Triple => [f(f(0.02) * step), f(1 + f(f(0.05) * step)), f(0.1)];
export const ballAt = (step: number): Triple => [0.05, f(f(0.3) + f(f(0.02) * (step + 1))), 0.02];
const TURNS: readonly Quadruple[] = [
  [0, 0, 0.70710678, 0.70710678],
  [0.1, 0.1, 0.7, 0.7],
  [0.3, 0.3, 0.64031242, 0.64031242],
];
export const turnedAt = (step: number): Quadruple => TURNS[Math.min(step + 1, 2)]!;
