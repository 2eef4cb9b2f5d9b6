// Cards of the experiments: plots, pictures, and each claim with its verdict; a live twin where the page has one.
import { h } from "../base/dom.ts";
import { short } from "../base/text.ts";

export interface Claim { claim: string; paper: string; ours: number | null; unit: string; holds: boolean; why: string | null }
export interface Experiment { name: string; title: string; source: string; holding: number; shown: string[]; claims: Claim[] }

/** Where an experiment's subject can be touched on this site. */
const TWINS: Record<string, [string, string]> = {
  "bending-models": ["play/#1;shipped-models", "Six models, live"],
  "kelager-creation": ["learn/#creation", "On your mesh, live"],
  "kelager-fig1": ["learn/#figure-1", "The figure, live"],
  "kelager-fig2": ["learn/#figure-2", "The figure, live"],
  "kelager-fig3": ["learn/#figure-3", "The figure, live"],
  "kelager-fig8": ["learn/#figure-8", "The figure, live"],
  "kelager-fig9": ["learn/#figure-9", "The figure, live"],
  "kelager-reflection": ["learn/#mirror", "The bowls, live"],
  "kelager-table1": ["learn/#table-1", "On your machine"],
  "momentum": ["learn/#momentum", "The balls, live"],
  "mueller-fig10": ["play/#1;shipped-torn-cloth", "A tearing cloth, live"],
  "mueller-fig7": ["play/#1;balloon", "Pump one up"],
  "tutorial-opposite": ["compare/", "Side by side, live"],
  "xpbd-stiffness": ["learn/#xpbd", "The plot, run live"],
};

export function experimentCard(one: Experiment, at: (path: string) => string): HTMLElement {
  const file = (name: string): string => at(`experiments/${one.name}/${name}`), twin = TWINS[one.name];
  const open = h("button", { class: "button", type: "button", "data-testid": `experiment-${one.name}-open` }, "Plots and verdicts");
  open.addEventListener("click", () => show(one, file));
  return h("article", { class: "card plot", "data-testid": `experiment-${one.name}` },
    one.shown[0] ? h("img", { src: file(one.shown[0]), alt: `${one.title}: ${kindOf(one.shown[0])}`, loading: "lazy", width: 480, height: 360 }) : h("div", { class: "still words" }, one.claims[0]?.claim),
    h("div", null, h("h3", null, one.title), h("p", null, one.source), h("p", { class: "badge" }, `${one.holding} of ${one.claims.length} claims hold`),
      h("div", { class: "card-actions" }, open, twin && h("a", { class: "button", href: at(twin[0]) }, twin[1]))));
}

const kindOf = (file: string): string => (file.endsWith("svg") ? "plot" : "picture");

function show(one: Experiment, file: (name: string) => string): void {
  const dialog = h("dialog", { class: "report", "aria-label": one.title }), close = h("button", { class: "button", type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  const ours = ({ ours: value, unit }: Claim): string => (value === null ? "" : `${short(value)} ${unit}`);
  const rows = one.claims.map((claim) => h("tr", null, h("td", null, claim.claim, claim.why && h("p", { class: "second" }, claim.why)), h("td", null, claim.paper), h("td", null, ours(claim)), h("td", { class: claim.holds ? "holds" : "fails" }, claim.holds ? "holds" : "does not hold")));
  dialog.append(
    h("div", { class: "report-head" }, h("h2", null, one.title), close), h("p", { class: "second" }, `${one.source}. `, "pliant-lab experiment ", h("code", null, one.name), " makes it all again."),
    h("div", { class: "report-pictures" }, ...one.shown.map((name) => h("a", { href: file(name) }, h("img", { src: file(name), alt: `${kindOf(name)} ${name.replace(/\.\w+$/, "")}`, loading: "lazy" })))),
    h("div", { class: "scroll" }, h("table", null, h("thead", null, h("tr", null, ...["claim", "paper", "here", "verdict"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", null, ...rows))));
  document.body.append(dialog);
  dialog.showModal();
}
