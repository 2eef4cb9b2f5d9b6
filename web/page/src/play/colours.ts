// Colour by a measure of the library, and its legend.
import type { Engine } from "pliant";
import { h } from "../base/dom.ts";
import { pretty, short } from "../base/text.ts";
import { ramp } from "../draw/looks.ts";
import type { Stage } from "../draw/stage.ts";
import type { SceneSession } from "../engine/session.ts";

type Row = Engine["descriptors"]["measures"][number];

/** Units of which the value is a fraction, shown in percent. */
const SHARES: Record<string, string> = { "": "%", edges: "% of an edge" };

function written(value: number, { name, unit }: Row): string {
  if (name === "stretch" || unit === "edges") return `${short(100 * value, 2)} ${SHARES[unit]}`;
  // C stands for the unit of whatever constraints bend, which is another for each model.
  return `${short(value, 2)}${unit && unit !== "C" ? ` ${pretty(unit)}` : ""}`;
}

/** Signed measures of which one side is of interest: colours begin at 0, and what is below is drawn as 0. */
const ONE_SIDED = new Set(["stretch"]);

export class Colours {
  readonly legend = h("div", { class: "legend", hidden: true, "data-testid": "legend" });
  private row: Row | null = null;

  constructor(private engine: Engine, private stage: () => Stage, private session: () => SceneSession) {}

  /** Name of the measure; empty for the cloth's own colours. */
  get name(): string { return this.row?.name ?? ""; }

  choose(name: string): void {
    const row = this.engine.descriptors.measures.find((one) => one.name === name) ?? null;
    this.row = row;
    const signed = Boolean(row?.signed) && !ONE_SIDED.has(name);
    this.stage().measure = row && { name: row.name, signed };
    this.legend.hidden = !row;
    if (!row) return;
    const stops = Array.from({ length: 9 }, (_, i) => `rgb(${ramp(i / 8, signed).map((x) => Math.round(255 * x)).join()})`).join();
    this.legend.replaceChildren(
      h("strong", null, row.label), h("div", { class: "bar", style: `background:linear-gradient(90deg,${stops})` }), h("div", { class: "ends" }),
      h("p", { class: "card-line" }, row.summary));
    this.fit();
  }

  /** Gives the legend the ends of what is there, but for a hundredth at each. */
  fit(): void {
    const { row } = this;
    if (!row) return;
    let low = Infinity, high = -Infinity;
    for (const one of this.session().deformables) {
      const values = one.measure(row.name).sort();
      low = Math.min(low, values[Math.floor(0.01 * values.length)]);
      high = Math.max(high, values[Math.floor(0.99 * (values.length - 1))]);
    }
    const { measure } = this.stage(), most = Math.max(measure?.signed ? Math.abs(low) : 0, high, 1e-6), range: [number, number] = measure?.signed ? [-most, most] : [0, most];
    this.stage().range = range;
    const ends = measure?.signed ? [range[0], 0, range[1]] : range, spans = ends.map((end, i) => h("span", null, `${i === 0 && row.signed && !measure?.signed ? "≤ " : ""}${written(end, row)}`));
    this.legend.querySelector(".ends")!.replaceChildren(...spans);
  }
}
