// Fabrics to start from. Rounded values of the order that textile tests report for each; samples differ by a factor of three or more.
export interface Material { id: string; label: string; set: Record<string, number> }
const material = (id: string, label: string, density: number, rigidity: number, damping: number, friction: number): Material =>
  ({ id, label, set: { "cloth.density": density, "bend.rigidity": rigidity, "bend.damping": damping, "cloth.friction": friction } });

export const MATERIALS: Material[] = [
  material("silk", "Silk", 0.06, 1e-6, 0.005, 0.2),
  material("cotton", "Cotton", 0.15, 1e-5, 0.01, 0.35),
  material("wool", "Wool", 0.25, 3e-5, 0.03, 0.45),
  material("denim", "Denim", 0.4, 1e-4, 0.02, 0.5),
  material("leather", "Leather", 0.8, 1e-3, 0.05, 0.6),
  material("rubber", "Rubber", 1.2, 3e-4, 0.1, 0.9),
  material("paper", "Paper", 0.08, 3e-3, 0.005, 0.3),
];
