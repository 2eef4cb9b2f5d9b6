// The panel, made from the library's descriptors: parts, rows, ranges and explanations are theirs.
import type { Descriptors, PropertyRow } from "pliant";
import { h } from "../base/dom.ts";
import { pretty, short } from "../base/text.ts";
import { expand, models, otherSets, readModel, resolve, typeRow, type Json } from "../state/paths.ts";
import type { SceneSession } from "../engine/session.ts";
import { materials, type Material } from "./materials.ts";
import { rangeOf, type Measures } from "./scale.ts";
import { widget, type Widget } from "./widgets.ts";

export interface PanelHost {
  session: () => SceneSession;
  /** A person sets values by their short paths, as one edit under a label or the name of the first. */
  set: (values: Record<string, unknown>, label?: string) => void;
}

/** What a panel has. */
export interface PanelForm {
  /** Short paths of the only rows, without folding. */
  only?: string[];
  /** Neither materials nor bending models. */
  bare?: boolean;
  /** A part of the page's own, after the first. */
  view?: HTMLElement;
}

type PanelRows = Descriptors["panel"][number]["rows"][number];
/** A row of the table of parts for one owner: the path of a set, of the cloth or of the settings. */
interface Part { prefix: string; rows: PanelRows }
/** Median compliance times rigidity of the types, measured on a swatch of 10 x 30 cm; one for what was not. */
const COMPLIANCE_SCALE: Record<string, number> = { isometric: 1e-4, triangle: 1.7e-5, dihedral: 1 };

export class Panel {
  readonly element = h("div", { class: "panel-body" });
  private widgets: { path: string; row: PropertyRow; part: Part; widget: Widget }[] = [];
  /** Explains the control that has the pointer or the focus; it stands at the foot of the panel, on phones below the control. */
  readonly help = h("p", { id: "panel-help", class: "help", "aria-live": "off" }, "Point at a control to see what it does.");
  private model = h("select", { id: "param-bend-type", "data-testid": "param-bend-type" });
  private card = h("p", { class: "card-line" });
  private material: Choice;
  private materials: Material[];
  private shape = "";

  constructor(private descriptors: Descriptors, private host: PanelHost, private form: PanelForm = {}) {
    this.model.addEventListener("change", () => host.set({ "bend.type": this.model.value }, "bending model"));
    this.materials = materials(descriptors);
    const take = (id: string): void => {
      const chosen = this.materials.find((one) => one.id === id);
      if (chosen) host.set(this.applicable(chosen.set), `material ${chosen.id}`);
    };
    this.material = form.only ? list(this.materials, take) : buttons(this.materials, take, (one) => this.explain(one.label, one.title));
    this.build();
  }

  /** Makes the controls that this scene has. */
  build(): void {
    const { session } = this.host, text = session().source.text;
    this.shape = this.structure();
    this.widgets = [];
    const bends = expand("bend.type", text).length > 0, { only, bare, view } = this.form;
    const named = bends && !bare ? this.named() : [], parts = this.descriptors.panel.map((part, i) => this.part(part, !only && i === 0 ? named : [])).filter((one) => one !== null);
    this.element.replaceChildren(...(only ? [...named.slice(0, 1), ...parts, ...named.slice(1)] : [...parts.slice(0, bends ? 1 : 0), ...(view ? [view] : []), ...parts.slice(bends ? 1 : 0)]));
    this.refresh();
  }

  /** Rows of the material and of the bending model. */
  private named(): HTMLElement[] {
    this.model.replaceChildren(...models(this.descriptors).map((row) => h("option", { value: row.name, title: row.summary }, row.label)));
    const row = (label: HTMLElement, ...rest: (HTMLElement | false)[]): HTMLElement => h("div", { class: "row" }, h("div", { class: "row-head" }, label), ...rest);
    const material = row(h("label", { id: "material-label", for: "param-material" }, "Material"), this.material.element), model = row(h("label", { for: "param-bend-type" }, "Bending model"), this.model, !this.form.only && this.card);
    this.explains(material, "Material", "Density, rigidity and friction of a material by its name, as one step.");
    this.explains(model, "Bending model", "The constraint that resists bending. Another model keeps the shape and shows its own parameters.");
    return [material, model];
  }

  private structure(): string {
    const { session } = this.host;
    return `${session().source.id}|${session().source.title}|${String(this.value("bend.type"))}`;
  }

  /** A part with its rows, after those `first`; null for none. */
  private part({ id, label, open, rows: owners }: Descriptors["panel"][number], first: HTMLElement[]): HTMLElement | null {
    const made = [...first];
    for (const part of owners.flatMap((rows) => this.prefixes(rows).map((prefix): Part => ({ prefix, rows }))))
      for (const row of this.rowsOf(part)) {
        const path = `${part.prefix}.${row.name}`;
        if (this.form.only && !this.form.only.includes(path)) continue;
        const control = widget({
          id: `param-${part.prefix.replace(/^deformables\.(.+)\.constraints\./, "$1-")}-${row.name}`.replaceAll("_", "-"), row, measures: this.measures(part),
          set: (value) => this.set(path, value, row, part), explain: (one, at) => this.explainRow(one, part, at),
        });
        if (!control) continue;
        this.widgets.push({ path, row, part, widget: control });
        made.push(control.element);
      }
    if (made.length === 0) return null;
    if (this.form.only) return h("div", null, ...made);
    return h("details", { open, class: "part", "data-part": id }, h("summary", null, label), ...made);
  }

  private prefixes({ prefix }: PanelRows): string[] { return prefix === "others" ? otherSets(this.host.session().source.text) : [prefix]; }

  private rowsOf({ prefix, rows: { group, sections } }: Part): PropertyRow[] {
    const known = group === null ? this.typeOf(prefix)?.parameters ?? [] : this.descriptors.groups.find((one) => one.id === group)?.properties.filter((row) => row.change === "live") ?? [];
    return known.filter((row) => sections.includes(row.section));
  }

  private typeOf(prefix: string): ReturnType<typeof typeRow> {
    return expand(`${prefix}.type`, this.host.session().source.text).length > 0 ? typeRow(this.descriptors, String(this.value(`${prefix}.type`))) : undefined;
  }

  /** Values of a material that this scene can take. */
  private applicable(set: Record<string, number>): Record<string, number> {
    return Object.fromEntries(Object.entries(set).filter(([path]) => {
      const [prefix, name] = path.split(".");
      return prefix === "cloth" || (this.typeOf(prefix)?.parameters ?? []).some((row) => row.name === name);
    }));
  }

  private measures(part: Part): Measures {
    const { session } = this.host;
    return { one: 1, mean_edge: session().deformables[0]?.mesh.report.edge_length_mean ?? 1, compliance_scale: COMPLIANCE_SCALE[String(this.value(`${part.prefix}.type`))] ?? 1 };
  }

  private set(path: string, value: unknown, row: PropertyRow, part: Part): void {
    const other = row.instead_of ? this.widgets.find((one) => one.part.prefix === part.prefix && one.row.name === row.instead_of) : undefined;
    if (other && this.value(other.path) !== other.row.default && Number(value) > 0) this.host.set({ [path]: value, [other.path]: other.row.default });
    else this.host.set({ [path]: value });
  }

  private explainRow(row: PropertyRow, part: Part, at: HTMLElement): void {
    const { low, high } = rangeOf(row, this.measures(part)), unit = row.unit ? ` ${pretty(row.unit)}` : "", numeric = row.kind === "number" || row.kind === "integer";
    const range = numeric ? ` The slider covers ${short(low)} to ${short(high)}${unit}${(row.maximum ?? Infinity) <= high ? "." : "; type others."}` : "";
    this.explain(`${row.label}${row.unit ? ` [${pretty(row.unit)}]` : ""}`, `${row.summary} ${row.help ?? ""}${range}`, at);
  }

  /** Writes an explanation at the foot, or on phones below the control `at`. */
  explain(label: string, text: string, at?: HTMLElement): void {
    this.help.replaceChildren(h("strong", null, `${label}: `), text);
    if (at && this.element.contains(at) && matchMedia("(max-width: 760px)").matches) at.after(this.help);
  }

  /** Explains a control while it has the pointer or the focus. */
  explains(box: HTMLElement, label: string, text: string): void {
    for (const name of ["pointerenter", "focusin"]) box.addEventListener(name, () => this.explain(label, text, box));
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
    const same = this.materials.find((one) => Object.entries(this.applicable(one.set)).every(([path, value]) => this.value(path) === value));
    this.material.show(same?.id ?? "");
  }
}

interface Choice { element: HTMLElement; show: (id: string) => void }

/** Materials as a list, where there is little room. */
function list(materials: Material[], take: (id: string) => void): Choice {
  const element = h("select", { id: "param-material", "data-testid": "param-material" }, h("option", { value: "" }, "of the scene"), ...materials.map((one) => h("option", { value: one.id, title: one.title }, one.label)));
  element.addEventListener("change", () => take(element.value));
  return { element, show: (id) => { element.value = id; } };
}

/** Materials as a button each. */
function buttons(materials: Material[], take: (id: string) => void, explain: (one: Material) => void): Choice {
  const made = materials.map((one) => h("button", { type: "button", class: "chip", "data-value": one.id, "aria-pressed": "false", title: one.title, onclick: () => take(one.id) }, one.label));
  made.forEach((one, i) => { for (const name of ["pointerenter", "focus"]) one.addEventListener(name, () => explain(materials[i])); });
  return {
    element: h("div", { class: "chips", role: "group", id: "param-material", "data-testid": "param-material", "aria-labelledby": "material-label" }, ...made),
    show: (id) => { for (const one of made) one.setAttribute("aria-pressed", String(one.dataset.value === id)); },
  };
}
