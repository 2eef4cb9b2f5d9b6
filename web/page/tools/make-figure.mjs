// Makes the landing's scene: a figure of capsules that turns to and fro in a skirt and a cape.
//
//     node tools/make-figure.mjs        writes scenes/figure.json and scenes/meshes/skirt.obj, cape.obj
//
// Capsules instead of a mesh keep contact cheap; the page draws one smooth surface around them (src/draw/figure.ts).
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const scenes = join(dirname(fileURLToPath(import.meta.url)), "..", "scenes");
const round = (x) => Math.round(x * 1e5) / 1e5;

// A full circle of cloth with a hole, flat, in the xz plane: rings of vertices whose diagonals alternate.
function ring(inner, outer, around, along) {
  const lines = [];
  for (let j = 0; j < along; j++)
    for (let i = 0; i < around; i++) {
      const r = inner + ((outer - inner) * j) / (along - 1), a = (2 * Math.PI * i) / around;
      lines.push(`v ${round(r * Math.sin(a))} 0 ${round(r * Math.cos(a))}`);
    }
  for (let j = 0; j + 1 < along; j++)
    for (let i = 0; i < around; i++) {
      const next = (i + 1) % around;
      const a = j * around + i + 1, b = j * around + next + 1, c = a + around, d = b + around;
      lines.push(...((i + j) % 2 ? [`f ${a} ${c} ${d}`, `f ${a} ${d} ${b}`] : [`f ${a} ${c} ${b}`, `f ${b} ${c} ${d}`]));
    }
  return lines.join("\n") + "\n";
}

// Bones: two ends with a radius each [m].
const mirrored = (bone) => [bone, bone.map(([x, y, z, r]) => [-x, y, z, r])];
const bones = [
  [[-0.055, 0.93, -0.005, 0.112], [0.055, 0.93, -0.005, 0.112]],
  [[0, 1.0, 0, 0.1], [0, 1.25, -0.01, 0.116]],
  [[-0.135, 1.36, -0.02, 0.06], [0.135, 1.36, -0.02, 0.06]],
  [[0, 1.38, -0.02, 0.05], [0, 1.5, 0.005, 0.042]],
  [[0, 1.575, 0.025, 0.07], [0, 1.63, 0.012, 0.088]],
  ...mirrored([[0.075, 0.86, 0, 0.085], [0.075, 0.47, 0.015, 0.055]]),
  ...mirrored([[0.075, 0.47, 0.015, 0.055], [0.07, 0.085, -0.015, 0.036]]),
  ...mirrored([[0.07, 0.045, -0.03, 0.034], [0.085, 0.03, 0.11, 0.028]]),
  ...mirrored([[0.17, 1.36, -0.02, 0.05], [0.36, 1.2, 0.05, 0.037]]),
  ...mirrored([[0.36, 1.2, 0.05, 0.037], [0.5, 1.21, 0.22, 0.027]]),
  ...mirrored([[0.5, 1.21, 0.22, 0.027], [0.555, 1.235, 0.3, 0.02]]),
];

// Turns by 70 degrees to and fro in five seconds.
const period = 5, turn = 70, keys = 40;
const motion = {
  centre: [0, 0, 0], loop: true,
  keyframes: Array.from({ length: keys + 1 }, (_, k) => ({
    time: (period * k) / keys, angle: round(turn * Math.sin((2 * Math.PI * k) / keys)),
  })),
};

function collider([a, b]) {
  const [low, high] = a[1] <= b[1] ? [a, b] : [b, a];
  const along = [0, 1, 2].map((i) => high[i] - low[i]), length = Math.hypot(...along);
  const d = along.map((x) => x / length), angle = Math.acos(Math.min(1, d[1]));
  const axis = Math.hypot(d[0], d[2]) < 1e-9 ? [1, 0, 0] : [d[2], 0, -d[0]];
  return {
    shape: "tapered_capsule", radius: low[3], top_radius: high[3], half_height: round(length / 2), friction: 0.35,
    pose: { position: [0, 1, 2].map((i) => round((low[i] + high[i]) / 2)), axis: axis.map(round), angle: round((angle * 180) / Math.PI) },
    motion, colour: [0.323, 0.366, 0.392],
  };
}

const cloth = (name, height, density, around, look) => ({
  name, mesh: { file: `meshes/${name}.obj` }, pose: { position: [0, height, 0] }, density, thickness: 0.008,
  self_collision: true, friction: 0.3,
  constraints: [{ type: "distance", name: "stretch" }, { type: "isometric", name: "bend", rigidity: 2e-5 }],
  attachments: [{ particles: Array.from({ length: around }, (_, i) => i), motion }],
  look,
});

const skirt = cloth("skirt", 1.06, 0.16, 48, { front: [0.462, 0.063, 0.045], back: [0.768, 0.584, 0.392] });
const cape = cloth("cape", 1.432, 0.14, 36, { front: [0.036, 0.091, 0.212], back: [0.584, 0.651, 0.73] });
const scene = {
  pliant: 1, title: "A skirt and a cape on a figure that turns", frames: 600,
  settings: { substeps: 10, air_density: 1.2, damping: 0.6, wind: [0.6, 0, 0.4] },
  deformables: [skirt, cape],
  colliders: [...bones.map(collider), { shape: "plane", friction: 0.5 }],
  view: { eye: [1.5, 1.15, 3.4], target: [0, 0.85, 0], field_of_view: 30 },
};

// One line a list or object that is short, as people write it.
function text(value, indent = "") {
  const flat = JSON.stringify(value);
  if (flat.length < 110 || typeof value !== "object") return flat.replace(/([:,])(?=\S)/g, "$1 ").replace(/([\[{]) /g, "$1");
  const inner = indent + "  ";
  const rows = Array.isArray(value) ? value.map((item) => inner + text(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${text(item, inner)}`);
  if (Array.isArray(value) && value.every((item) => typeof item === "number")) return flat;
  return (Array.isArray(value) ? "[" : "{") + "\n" + rows.join(",\n") + "\n" + indent + (Array.isArray(value) ? "]" : "}");
}
writeFileSync(join(scenes, "figure.json"), text(scene) + "\n");
writeFileSync(join(scenes, "meshes", "skirt.obj"), "# Made by tools/make-figure.mjs.\n" + ring(0.122, 0.72, 48, 12));
writeFileSync(join(scenes, "meshes", "cape.obj"), "# Made by tools/make-figure.mjs.\n" + ring(0.075, 0.4, 36, 7));
