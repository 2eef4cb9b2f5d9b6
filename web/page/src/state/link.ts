// The state of the panels as an address: #1;scene;path=value;...;~path=value (side B; ~ alone where it has none; run=B);...;@yaw,pitch,distance,x,y,z;c=measure;t=frame;pin=vertices
import { readValue, writeValue } from "../base/text.ts";
import type { Aim } from "../draw/camera.ts";

export interface Linked {
  scene: string;
  overrides: [string, unknown][];
  /** Those of side B, where there are two sides, and whether it is B that runs. */
  other?: [string, unknown][];
  runsB?: boolean;
  aim?: Aim;
  measure?: string;
  frame?: number;
  /** A pin each: deformable, then its vertices. */
  pins: number[][];
  /** Keys that this version does not know, kept as they are. */
  unknown: string[];
  /** Version that wrote it, where that is not ours. */
  newer?: string;
}

export const VERSION = "1", MOST = 2000;
const safe = (text: string): string => encodeURIComponent(text).replace(/%(5B|5D|2C|3A|2F|40)/g, (code) => decodeURIComponent(code));
const three = (x: number): string => String(Math.round(x * 1000) / 1000);

export function writeLink(state: Linked): string {
  const parts = [VERSION, state.scene, ...state.overrides.map(([path, value]) => `${safe(path)}=${safe(writeValue(value))}`)];
  const values = (list: [string, unknown][]): string[] => list.map(([path, value]) => `~${safe(path)}=${safe(writeValue(value))}`);
  if (state.other) parts.push(...(state.other.length > 0 ? values(state.other) : ["~"]), ...(state.runsB ? ["run=B"] : []));
  if (state.aim) parts.push(`@${[state.aim.yaw, state.aim.pitch, state.aim.distance, ...state.aim.target].map(three).join()}`);
  if (state.measure) parts.push(`c=${state.measure}`);
  if (state.frame) parts.push(`t=${state.frame}`);
  for (const pin of state.pins) parts.push(`pin=${pin.join()}`);
  parts.push(...state.unknown);
  return `#${parts.join(";")}`;
}

const numbers = (text: string): number[] | null => {
  const out = text.split(",").map(Number);
  return out.length > 0 && out.every(Number.isFinite) ? out : null;
};

/** Null for an address without a state. Nothing in it is trusted: what is not understood is kept as unknown. */
export function readLink(hash: string): Linked | null {
  const [version, scene, ...parts] = hash.replace(/^#/, "").slice(0, MOST).split(";");
  if (!/^\d+$/.test(version) || !scene || !/^[\w-]+$/.test(scene)) return null;
  const state: Linked = { scene, overrides: [], pins: [], unknown: [], ...(version === VERSION ? {} : { newer: version }) };
  for (const part of parts) {
    if (!part) continue;
    if (part === "~") { state.other = []; continue; }
    const [name, ...tail] = part.split("="), value = tail.join("=");
    let text: string, key: string;
    try { text = decodeURIComponent(value); key = decodeURIComponent(name); } catch { state.unknown.push(part); continue; }
    const list = part.startsWith("@") ? numbers(part.slice(1)) : null;
    const frame = Number(text), pin = key === "pin" ? numbers(text) : null;
    if (list?.length === 6) state.aim = { yaw: list[0], pitch: list[1], distance: list[2], target: [list[3], list[4], list[5]] };
    else if (key === "run" && text === "B") state.runsB = true;
    else if (key === "c" && /^[a-z_]+$/.test(text)) state.measure = text;
    else if (key === "t" && Number.isInteger(frame) && frame >= 0 && frame < 1e5) state.frame = frame;
    else if (pin && pin.length > 1 && pin.every((x) => Number.isInteger(x) && x >= 0)) state.pins.push(pin);
    else if (/^[a-z_]+[.[]/.test(key) && value !== "") state.overrides.push([key, readValue(text)]);
    else if (/^~[a-z_]+[.[]/.test(key) && value !== "") (state.other ??= []).push([key.slice(1), readValue(text)]);
    else state.unknown.push(part);
  }
  return state;
}
