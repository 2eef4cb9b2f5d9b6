// Claims of the papers' figures: their words, limits and the experiments' own values come from the experiments' reports; the figure measures them again.
import { h } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { ROOT } from "../engine/library.ts";
import type { Claim, Experiment } from "../gallery/experiments.ts";

export interface LiveClaim extends Claim { rule: string; limit: number; figure: number | null }
let loading: Promise<Experiment[]> | null = null;

async function reports(): Promise<Experiment[]> {
  loading ??= fetch(new URL("experiments/list.json", ROOT)).then((answer) => { if (!answer.ok) throw new Error(`experiments/list.json: the host answers ${answer.status}`); return answer.json() as Promise<Experiment[]>; });
  return loading;
}

/** Whether a value meets a claim by the experiment's own rule; "near" allows a part of the paper's figure. */
export function holds({ rule, limit, figure }: Pick<LiveClaim, "rule" | "limit" | "figure">, value: number): boolean {
  if (rule === "at least") return value >= limit;
  if (rule === "at most") return value <= limit;
  return figure !== null && Math.abs(value / figure - 1) <= limit + 1e-12;
}

const amount = (value: number, unit: string): string => `${short(value)}${unit ? ` ${unit}` : ""}`;
const wanted = ({ rule, limit, figure }: LiveClaim): string => (rule === "at least" || rule === "at most" ? `${rule} ${short(limit)}` : `within ${short(100 * limit)} % of ${short(figure ?? NaN)}`);

export interface Verdicts { element: HTMLElement; /** Shows what has been measured so far; null is not yet. */ show: (values: (number | null)[]) => void }

/** The claims of an experiment whose texts begin so, in this order, with room for what is measured here; `words` replace texts that need their neighbours. */
export async function verdicts(name: string, begins: string[], words: (string | undefined)[] = []): Promise<Verdicts> {
  const report = (await reports()).find((one) => one.name === name);
  if (!report) throw new Error(`no experiment is called ${name}`);
  const claims = begins.map((begin) => {
    const found = (report.claims as LiveClaim[]).find(({ claim }) => claim.startsWith(begin));
    if (!found) throw new Error(`${name} has no claim that begins with "${begin}"`);
    return found;
  });
  const items = claims.map((claim, i) => ({ claim, badge: h("span", { class: "verdict" }, "…"), here: h("strong", null, "…"), row: h("li", { "data-testid": `claim-${name}-${i}` }) }));
  for (const { claim, badge, here, row } of items)
    row.append(badge, h("span", null, words[claims.indexOf(claim)] ?? claim.claim), h("small", null, `${claim.paper[0].toUpperCase()}${claim.paper.slice(1)}. Here: `, here, `; required ${wanted(claim)}; experiment ${amount(claim.ours ?? NaN, "")}.`));
  return {
    element: h("div", { class: "claims" }, h("p", null, "Claims of ", h("code", null, `pliant-lab experiment ${name}`), ", measured now:"), h("ol", null, ...items.map(({ row }) => row))),
    show: (values) => items.forEach(({ claim, badge, here, row }, i) => {
      const value = values[i];
      if (value === null || Number.isNaN(value)) { badge.className = "verdict"; badge.textContent = here.textContent = "…"; delete row.dataset.value; return; }
      const good = holds(claim, value);
      here.textContent = amount(value, claim.unit);
      badge.textContent = good ? "holds" : "fails";
      badge.className = `verdict ${good ? "good" : "bad"}`;
      row.dataset.value = String(value);
      row.dataset.holds = String(good);
    }),
  };
}
