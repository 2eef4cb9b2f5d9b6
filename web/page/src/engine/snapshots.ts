// Snapshots by frame, kept thinner the older they are, within a budget of memory.
import type { Overrides } from "../state/paths.ts";
import type { Ball, Pin } from "./events.ts";

/** What a snapshot belongs to: it can be read where the lists of pins, cuts and sets are these. */
export interface Structure {
  key: string;
  pins: Pin[];
  cuts: number;
  remakes: number;
  balls: Ball[];
  live: Map<string, unknown>;
  overrides: Overrides;
}
interface Kept { frame: number; bytes: Uint8Array; structure: Structure; opens: boolean }

const BUDGET = matchMedia("(max-width: 700px)").matches ? 24e6 : 64e6;

export class Snapshots {
  private kept: Kept[] = [];
  private dense = 60;

  get first(): number { return this.kept[0]?.frame ?? 0; }
  get frames(): number[] { return this.kept.map((one) => one.frame); }
  get bytes(): number { return this.kept.reduce((sum, one) => sum + one.bytes.length, 0); }

  clear(): void {
    this.kept = [];
    this.dense = 60;
  }

  add(frame: number, end: number, bytes: Uint8Array, structure: Structure): void {
    const at = this.kept.findIndex((one) => one.frame >= frame);
    if (at >= 0 && this.kept[at].frame === frame) return;
    const before = this.kept[(at < 0 ? this.kept.length : at) - 1];
    const one = { frame, bytes, structure, opens: !before || before.structure.key !== structure.key };
    if (at < 0) this.kept.push(one);
    else this.kept.splice(at, 0, one);
    this.thin(end);
  }

  /** At age a the frames stay that are a multiple of 4 * 2^floor(log2(a / dense)); the start and first of each structure too. */
  private thin(end: number): void {
    const stays = (one: Kept): boolean => {
      const age = end - one.frame;
      return one.frame === 0 || one.opens || age < this.dense || one.frame % (4 * 2 ** Math.floor(Math.log2(age / this.dense))) === 0;
    };
    this.kept = this.kept.filter(stays);
    while (this.bytes > BUDGET && this.dense > 8) {
      this.dense /= 2;
      this.kept = this.kept.filter(stays);
    }
    while (this.bytes > BUDGET && this.kept.length > 3) this.kept.splice(1 + Math.floor((this.kept.length - 1) / 2), 1);
  }

  before(frame: number): Kept {
    let found = this.kept[0];
    for (const one of this.kept) if (one.frame <= frame) found = one;
    return found;
  }

  forgetAfter(frame: number): void {
    this.kept = this.kept.filter((one) => one.frame <= frame);
  }
}
