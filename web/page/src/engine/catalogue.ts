// The scenes that the page runs: its own, and those of the repository that a browser does in time. One row is one scene.
export interface CatalogueScene {
  id: string;
  title: string;
  /** A sentence for the gallery's card. */
  line: string;
  kind: "cloth" | "shell" | "plant" | "balloon" | "contact";
  /** Folder of the scene, under scenes/ of the site, and its file there. */
  folder: string;
  file: string;
  /** Files beside the scene that it names. */
  files: string[];
  /** Picture of the gallery, under pictures/. */
  picture: string;
  /** Shipped with the library, in scenes/ of the repository. */
  shipped: boolean;
  /** The frame at which it rests, for those who open it at rest. */
  settled: number;
  /** Surface of the cloth in pictures. */
  surface?: "cloth" | "leaf" | "balloon" | "clay";
}

type More = Partial<Pick<CatalogueScene, "files" | "surface" | "settled">>;
const scene = (id: string, title: string, kind: CatalogueScene["kind"], line: string, more: More = {}): CatalogueScene =>
  ({ id, title, kind, line, folder: "", file: `${id}.json`, files: [], picture: `${id}.jpg`, shipped: false, settled: 60, ...more });
const shipped = (name: string, title: string, kind: CatalogueScene["kind"], more: More = {}): CatalogueScene =>
  ({ id: `shipped-${name}`, title, kind, line: "", folder: "shipped/", file: `${name}.json`, files: [], picture: `shipped/${name}.png`, shipped: true, settled: 60, ...more });

export const SCENES: CatalogueScene[] = [
  scene("walker", "A figure walks", "cloth", "A skirt and a cape on a figure that walks, in the wind. No surface passes through another.", { files: ["meshes/skirt.obj", "meshes/cape.obj", "meshes/walker.glb"], settled: 144 }),
  scene("drape", "A cloth over a ball", "cloth", "The plainest of all: a square falls on a ball.", { settled: 90 }),
  scene("flag", "A cloth in the wind", "cloth", "Hung by two corners, in a breeze that you can turn.", { settled: 90 }),
  scene("swatch", "A swatch", "cloth", "Ten by thirty centimetres, clamped at one end: here bending models differ."),
  scene("bunny", "Kappa", "shell", "A hollow bunny that stands by triangle bending. Raise kappa and it slumps.", { files: ["meshes/bunny.obj"], surface: "clay" }),
  scene("balloon", "A balloon", "balloon", "A closed surface with a volume constraint. Pump it up.", { surface: "balloon" }),
  scene("plant", "A plant", "plant", "Leaves that may curve less for free, and resist curving more.", { surface: "leaf" }),
  scene("towel", "A towel on a rail", "contact", "Folds that lie on each other: surfaces in contact under a guarantee.", { settled: 140 }),
  scene("sheet", "A sheet for CPU and GPU", "cloth", "The scene for the WebGPU switch: the same run on both, and how far they are apart."),
  // Of the repository those whose step takes about a frame or less; docs/decisions/c-interface.md has the times.
  shipped("first", "A cloth falls on a ball", "cloth"),
  shipped("models", "Six bending models, side by side", "cloth"),
  shipped("hanging-cloth", "A cloth in the wind", "cloth"),
  shipped("torn-cloth", "A cloth that a ball tears", "cloth"),
  shipped("kappa-live", "Kappa changed while running", "shell", { files: ["meshes/bunny.obj"], surface: "clay" }),
  shipped("balloon", "A balloon blown up and let go", "balloon", { surface: "balloon" }),
  shipped("plant", "A plant that stands by triangle bending", "plant", { surface: "leaf" }),
];

export const sceneById = (id: string): CatalogueScene | undefined => SCENES.find((item) => item.id === id);
