// The library's presets of materials, as values of the panel.
import type { Descriptors } from "pliant";

export interface Material { id: string; label: string; title: string; set: Record<string, number> }

export const materials = ({ materials: all }: Descriptors): Material[] => all.map(({ name, label, summary, source, panel }) => ({ id: name, label, title: `${summary} ${source}`, set: panel }));
