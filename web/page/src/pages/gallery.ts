// Cards of scenes and of experiments.
import { calm, h, need } from "../base/dom.ts";
import { SCENES, type CatalogueScene } from "../engine/catalogue.ts";
import { experimentCard, type Experiment } from "../gallery/experiments.ts";
import type { LiveCard } from "../gallery/live_card.ts";
import { shell } from "./shell.ts";

interface Shipped { name: string; title: string; description?: string }

shell();
const root = new URL(document.documentElement.dataset.root ?? ".", document.baseURI), at = (path: string): string => new URL(path, root).href;
const list = async <T>(path: string): Promise<T[]> => (await (await fetch(at(path))).json()) as T[];
const [shipped, experiments] = await Promise.all([list<Shipped>("scenes/shipped/list.json"), list<Experiment>("experiments/list.json")]);

/* ---- scenes ---------------------------------------------------------------------------------------------------- */

let live: Promise<LiveCard> | null = null, made: LiveCard | null = null, pointed: HTMLElement | null = null;

/** Runs the card's scene while the pointer rests on it or it has the focus. */
function wake(card: HTMLElement, row: CatalogueScene): void {
  const place = need(".still", card);
  const show = (): void => {
    if (calm() || pointed === card) return;
    pointed = card;
    window.setTimeout(() => {
      if (pointed !== card) return;
      live ??= import("../gallery/live_card.ts").then(({ LiveCard: Card }) => (made = new Card()));
      // A machine that cannot draw or fetch it keeps the picture.
      void live.then((one) => (pointed === card ? one.show(row.id, place) : undefined)).catch(() => undefined);
    }, 250);
  };
  const hide = (): void => {
    if (pointed !== card) return;
    pointed = null;
    void live?.then((one) => { if (!pointed) one.hide(); }, () => undefined);
  };
  for (const event of ["pointerenter", "focus"]) card.addEventListener(event, show);
  for (const event of ["pointerleave", "blur"]) card.addEventListener(event, hide);
}

const words = (title: string, line: string, badge: string, isLive: boolean): HTMLElement =>
  h("div", null, h("h3", null, title), line ? h("p", null, line) : null, h("p", { class: isLive ? "badge live" : "badge" }, badge));
const picture = (path: string): HTMLElement => h("div", { class: "still" }, h("img", { src: at(`pictures/${path}`), alt: "", loading: "lazy", width: 640, height: 400 }));

function liveCard(row: CatalogueScene): HTMLElement {
  const line = row.line || shipped.find((one) => `${one.name}.json` === row.file)?.description || "";
  const card = h("a", { class: "card", href: at(`play/#1;${row.id}`), "data-testid": `gallery-${row.id}`, "data-kind": row.kind }, picture(row.picture), words(row.title, line, row.shipped ? `live, and pliant run scenes/${row.file}` : "live: open and pull", true));
  wake(card, row);
  return card;
}

const commandCard = ({ name, title, description }: Shipped): HTMLElement =>
  h("article", { class: "card", "data-testid": `gallery-shipped-${name}`, "data-kind": "command line" }, picture(`shipped/${name}.png`), words(title, description ?? "", `pliant run scenes/${name}.json --render`, false));

const isLive = ({ name }: Shipped): boolean => SCENES.some((row) => row.id === `shipped-${name}`);
const cards = [...SCENES.map(liveCard), ...shipped.filter((one) => !isLive(one)).map(commandCard)];
need("#scenes").append(...cards);
const kinds = ["all", ...new Set(cards.map((card) => card.dataset.kind!))];
need("#filters").append(...kinds.map((kind) => {
  const one = h("button", { type: "button", class: "button", "aria-pressed": String(kind === "all"), "data-testid": `gallery-filter-${kind.replace(" ", "-")}` }, kind);
  one.addEventListener("click", () => {
    for (const other of one.parentElement!.children) other.setAttribute("aria-pressed", String(other === one));
    for (const card of cards) card.hidden = kind !== "all" && card.dataset.kind !== kind;
  });
  return one;
}));

/* ---- experiments ----------------------------------------------------------------------------------------------- */

need("#experiments").append(...experiments.map((one) => experimentCard(one, at)));
Object.assign(window, { gallery: { running: () => made?.running ?? null } });
document.documentElement.dataset.ready = "gallery";
