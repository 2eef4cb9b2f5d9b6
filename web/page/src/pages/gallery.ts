// Cards of scenes and of experiments.
import { h, need } from "../base/dom.ts";
import { SCENES } from "../engine/catalogue.ts";
import { shell } from "./shell.ts";

interface Experiment { name: string; shown: string[]; verdict: { title: string; source: string; holding: number; claims: unknown[] } }

shell();
const root = new URL(document.documentElement.dataset.root ?? ".", document.baseURI), at = (path: string): string => new URL(path, root).href;

function sceneCard(row: (typeof SCENES)[number]): HTMLElement {
  const picture = h("img", { src: at(`pictures/${row.picture}`), alt: "", loading: "lazy", width: 640, height: 360 });
  const words = h("div", null, h("h3", null, row.title), h("p", null, row.line), h("p", { class: row.live ? "badge live" : "badge" }, row.live ? "live: open and pull" : `for the command line: pliant run scenes/${row.id}.json`));
  return row.live ? h("a", { class: "card", href: at(`play/#1;${row.id}`), "data-testid": `gallery-${row.id}`, "data-kind": row.kind }, picture, words) : h("article", { class: "card", "data-testid": `gallery-${row.id}`, "data-kind": row.kind }, picture, words);
}

const cards = SCENES.map(sceneCard), place = need("#scenes");
place.append(...cards);
const kinds = ["all", ...new Set(SCENES.map((row) => row.kind))];
need("#filters").append(...kinds.map((kind) => {
  const one = h("button", { type: "button", class: "button", "aria-pressed": String(kind === "all"), "data-testid": `gallery-filter-${kind}` }, kind);
  one.addEventListener("click", () => {
    for (const other of one.parentElement!.children) other.setAttribute("aria-pressed", String(other === one));
    for (const card of cards) card.hidden = kind !== "all" && card.dataset.kind !== kind;
  });
  return one;
}));

const list = (await (await fetch(at("experiments/list.json"))).json()) as Experiment[];
need("#experiments").append(...list.map(({ name, shown, verdict }) => h("article", { class: "card plot", "data-testid": `experiment-${name}` },
  shown[0] ? h("img", { src: at(`experiments/${name}/${shown[0]}`), alt: `${verdict.title}: ${shown[0].endsWith("svg") ? "plot" : "picture"}`, loading: "lazy" }) : h("div", { class: "still" }),
  h("div", null, h("h3", null, verdict.title), h("p", null, verdict.source), h("p", { class: "badge" }, `${verdict.holding} of ${verdict.claims.length} claims hold`)))));
document.documentElement.dataset.ready = "gallery";
