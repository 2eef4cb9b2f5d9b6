// The library's presets of materials, as values of a page's scene: what its sets and its cloth can have.
import type { Descriptors } from "pliant";

export interface Material { id: string; label: string; title: string; set: Record<string, number> }

/** Values come as floats, and are shown as they were written. */
const rounded = (value: number | undefined): number => Number((value ?? 0).toPrecision(6));

/** Flexural rigidity [N m] as measured, or that of a homogeneous plate, E t^3 / (12 (1 - nu^2)). */
function rigidity({ rigidity: measured, young = 0, thickness = 0, poisson = 0 }: Record<string, number>): number {
  return measured ?? (young * thickness ** 3) / (12 * (1 - poisson ** 2));
}

export function materials(descriptors: Descriptors): Material[] {
  return descriptors.materials.map(({ name, label, summary, source, values }) => ({
    id: name, label, title: `${summary} ${source}`,
    set: { "cloth.density": rounded(values["density"]), "bend.rigidity": rounded(rigidity(values)), "cloth.friction": rounded(values["friction"]) },
  }));
}
