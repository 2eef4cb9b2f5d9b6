// The panel, made from the library's descriptors: nobody writes a slider by hand. Which rows stand where is data below.
import type { Descriptors, PropertyRow } from "pliant";
import { h } from "../base/dom.ts";
import { pretty } from "../base/text.ts";
import { expand, models, readModel, resolve, typeRow, type Json } from "../state/paths.ts";
import type { Session } from "../engine/session.ts";
import { materials, type Material } from "./materials.ts";
import type { Measures } from "./scale.ts";
import { widget, type Widget } from "./widgets.ts";

export interface PanelHost {
  session: () => Session;
  /** A person sets a value by its short path. */
  set: (path: string, value: unknown, row: PropertyRow) => void;
  /** Several at once, as one step. */
  setMany: (values: Record<string, number>, label: string) => void;
}

interface Part { id: string; label: string; open: boolean; prefix: string; group: string; names?: string[]; section?: string[] }
/** Parts of the panel in their order. Prefix "bend" and "stretch" are sets, the others groups of the descriptors. */
const PARTS: Part[] = [
  { id: "bending", label: "Bending", open: true, prefix: "bend", group: "type", section: ["basic"] },
  { id: "solver", label: "Solver", open: true, prefix: "settings", group: "settings", names: ["method", "substeps", "iterations", "damping", "gravity"] },
  { id: "air", label: "Air", open: false, prefix: "settings", group: "settings", names: ["wind", "air_density", "air_friction"] },
  { id: "stretching", label: "Stretching", open: false, prefix: "stretch", group: "type", section: ["basic", "advanced"] },
  { id: "cloth", label: "Cloth and contact", open: false, prefix: "cloth", group: "deformable", names: ["density", "thickness", "friction", "self_collision", "self_contact", "particle_distance"] },
  { id: "advanced", label: "Advanced", open: false, prefix: "bend", group: "type", section: ["advanced"] },
  { id: "more", label: "More of the solver", open: false, prefix: "settings", group: "settings", names: ["sweeps", "keep_momentum", "speed_limit", "sleep_speed", "work_budget"] },
];
/** Median compliance times rigidity of the types, measured on a swatch of 10 x 30 cm; one for what was not. */
const COMPLIANCE_SCALE: Record<string, number> = { isometric: 1e-4, triangle: 1.7e-5, dihedral: 1 };

export class Panel {
  readonly element = h("div", { class: "panel-body" });
  private widgets: { path: string; row: PropertyRow; part: Part; widget: Widget }[] = [];
  private help = h("p", { id: "panel-help", class: "help", "aria-live": "off" }, "Point at a control to see what it does.");
  private model = h("select", { id: "param-bend-type", "data-testid": "param-bend-type" });
  private card = h("p", { class: "card-line" });
  private material = h("select", { id: "param-material", "data-testid": "param-material" });
  private materials: Material[];
  private shape = "";

  /** With `only` (short paths) it has these alone, without folding and help. */
  constructor(private descriptors: Descriptors, private host: PanelHost, private only: string[] | null = null) {
    this.model.addEventListener("change", () => host.set("bend.type", this.model.value, { name: "type", label: "Bending model", change: "remake" } as PropertyRow));
    this.materials = materials(descriptors);
    this.material.append(h("option", { value: "" }, "as the scene says"), ...this.materials.map((one) => h("option", { value: one.id, title: one.title }, one.label)));
    this.material.addEventListener("change", () => {
      const chosen = this.materials.find((one) => one.id === this.material.value);
      if (chosen) host.setMany(chosen.set, chosen.label);
    });
    this.build();
  }

  /** Makes the controls that this scene has. */
  build(): void {
    const { session } = this.host, text = session().source.text;
    this.shape = this.structure();
    this.widgets = [];
    const bends = expand("bend.type", text).length > 0;
    const parts = PARTS.map((part) => this.part(part)).filter((one) => one !== null);
    if (bends && !this.only) {
      const types = models(this.descriptors);
      this.model.replaceChildren(...types.map((row) => h("option", { value: row.name, title: row.summary }, row.label)));
      parts[0]?.querySelector("summary")?.after(
        h("div", { class: "row" }, h("div", { class: "row-head" }, h("label", { for: "param-material" }, "Material")), this.material),
        h("div", { class: "row" }, h("div", { class: "row-head" }, h("label", { for: "param-bend-type" }, "Model")), this.model, this.card));
    }
    if (this.only) {
      const types = models(this.descriptors);
      this.model.replaceChildren(...types.map((row) => h("option", { value: row.name, title: row.summary }, row.label)));
      this.element.replaceChildren(...parts, ...(bends ? [h("div", { class: "row" }, h("div", { class: "row-head" }, h("label", { for: "param-bend-type" }, "Model")), this.model)] : []));
    } else this.element.replaceChildren(...parts, this.help);
    this.refresh();
  }

  private structure(): string {
    const { session } = this.host;
    return `${session().source.id}|${session().source.title}|${String(this.value("bend.type"))}`;
  }

  private part(part: Part): HTMLElement | null {
    const rows = this.rowsOf(part), made: HTMLElement[] = [];
    for (const row of rows) {
      const path = `${part.prefix}.${row.name}`;
      if (this.only && !this.only.includes(path)) continue;
      const control = widget({
        id: `param-${part.prefix}-${row.name.replaceAll("_", "-")}`, row, measures: this.measures(part),
        set: (value) => this.set(path, value, row, part), explain: (one) => this.explain(one),
      });
      if (!control) continue;
      this.widgets.push({ path, row, part, widget: control });
      made.push(control.element);
    }
    if (made.length === 0) return null;
    if (this.only) return h("div", null, ...made);
    return h("details", { open: part.open, class: "part", "data-part": part.id }, h("summary", null, part.label), ...made);
  }

  private rowsOf(part: Part): PropertyRow[] {
    const { session } = this.host;
    if (part.group === "type") {
      if (expand(`${part.prefix}.type`, session().source.text).length === 0) return [];
      const type = typeRow(this.descriptors, String(this.value(`${part.prefix}.type`)));
      return (type?.parameters ?? []).filter((row) => part.section!.includes(row.section));
    }
    const group = this.descriptors.groups.find((one) => one.id === part.group);
    return part.names!.flatMap((name) => group?.properties.filter((row) => row.name === name) ?? []);
  }

  private measures(part: Part): Measures {
    const { session } = this.host;
    return { one: 1, mean_edge: session().deformables[0]?.mesh.report.edge_length_mean ?? 1, compliance_scale: COMPLIANCE_SCALE[String(this.value(`${part.prefix}.type`))] ?? 1 };
  }

  private set(path: string, value: unknown, row: PropertyRow, part: Part): void {
    this.host.set(path, value, row);
    const other = row.instead_of ? this.widgets.find((one) => one.part.prefix === part.prefix && one.row.name === row.instead_of) : undefined;
    if (other && this.value(other.path) !== other.row.default && Number(value) > 0) this.host.set(other.path, other.row.default, other.row);
  }

  private explain(row: PropertyRow): void {
    this.help.replaceChildren(h("strong", null, `${row.label}${row.unit ? ` [${pretty(row.unit)}]` : ""}: `), row.summary, row.help ? ` ${row.help}` : "");
  }

  /** Value of a short path now: what was changed, else what the scene says, else the default. */
  value(path: string): unknown {
    const session = this.host.session(), text = session.source.text, long = expand(path, text)[0];
    if (long === undefined) return undefined;
    if (session.overrides.has(long)) return session.overrides.get(long);
    return readModel(this.sceneNow(), long);
  }

  private cached: { key: string; scene: Json } = { key: "", scene: null };
  private sceneNow(): Json {
    const session = this.host.session(), key = `${session.source.text.length}|${session.source.title}|${JSON.stringify([...session.overrides])}`;
    if (this.cached.key !== key) this.cached = { key, scene: JSON.parse(resolve(session.source.text, session.overrides, this.descriptors)) as Json };
    return this.cached.scene;
  }

  private holds(row: PropertyRow, prefix: string): boolean {
    return (row.when ?? []).every(({ path, is, is_not: not }) => {
      const full = path.includes(".") ? path : `${prefix}.${path}`, known = this.widgets.find((one) => one.path === full);
      const value = this.value(full) ?? known?.row.default ?? this.descriptors.groups.find((one) => full.startsWith(`${one.id}.`))?.properties.find((one) => full.endsWith(`.${one.name}`))?.default;
      const test = (list: unknown[]): boolean => list.some((one) => String(one) === String(value));
      return (is ? test(is) : true) && (not ? !test(not) : true);
    });
  }

  /** Shows the values of now, and makes other controls where the model is another. */
  refresh(): void {
    if (this.structure() !== this.shape) { this.build(); return; }
    const type = typeRow(this.descriptors, String(this.value("bend.type")));
    if (type) {
      this.model.value = type.name;
      this.card.textContent = type.summary;
    }
    for (const { path, row, part, widget: one } of this.widgets) {
      one.element.hidden = !this.holds(row, part.prefix);
      one.show(this.value(path) ?? row.default);
    }
    const same = this.materials.find((one) => Object.entries(one.set).every(([path, value]) => this.value(path) === value));
    this.material.value = same?.id ?? "";
  }
}
