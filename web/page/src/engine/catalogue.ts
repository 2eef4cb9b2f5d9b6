// The scenes that the page knows: those that the command line runs, and the page's own. One row is one scene.
export interface CatalogueScene {
  id: string;
  title: string;
  /** A sentence for the gallery's card. */
  line: string;
  kind: "cloth" | "shell" | "plant" | "balloon" | "contact";
  /** Files beside the scene that it names. */
  files: string[];
  /** False: too slow for a browser, or with rigid bodies, which the package has not; the picture stands for it. */
  live: boolean;
  /** Picture of the gallery, under pictures/. */
  picture: string;
  /** Surface of the cloth in pictures. */
  surface?: "cloth" | "leaf" | "balloon" | "clay";
}

const scene = (id: string, title: string, kind: CatalogueScene["kind"], line: string, more: Partial<CatalogueScene> = {}): CatalogueScene =>
  ({ id, title, kind, line, files: [], live: true, picture: `${id}.jpg`, ...more });

export const SCENES: CatalogueScene[] = [
  scene("figure", "A figure that turns", "cloth", "A skirt and a cape, full circles of cloth, on a figure of capsules.", { files: ["meshes/skirt.obj", "meshes/cape.obj"] }),
  scene("drape", "A cloth over a ball", "cloth", "The plainest of all: a square falls on a ball."),
  scene("flag", "A cloth in the wind", "cloth", "Hung by two corners, in a breeze that you can turn."),
  scene("swatch", "A swatch", "cloth", "Ten by thirty centimetres, clamped at one end: here bending models differ."),
  scene("bunny", "Kappa", "shell", "A hollow bunny that stands by triangle bending. Raise kappa and it slumps.", { files: ["meshes/bunny.obj"], surface: "clay" }),
  scene("balloon", "A balloon", "balloon", "A closed surface with a volume constraint. Pump it up.", { surface: "balloon" }),
  scene("plant", "A plant", "plant", "Leaves that may curve less for free, and resist curving more.", { surface: "leaf" }),
  scene("towel", "A towel on a rail", "contact", "Folds that lie on each other: surfaces in contact under a guarantee."),
  scene("sheet", "A sheet for CPU and GPU", "cloth", "The scene for the WebGPU switch: the same run on both, and how far they are apart."),
  scene("dress", "A dress on a dancer", "contact", "Contact with an animated mesh at 40 substeps: for the command line.", { live: false, picture: "dress.png" }),
  scene("reef-knot", "A reef knot", "contact", "Two cords of cloth pulled into a knot, without one crossing.", { live: false, picture: "reef-knot.png" }),
  scene("bunny-drape", "A cloth on the bunny", "contact", "Fine cloth on a mesh collider, free of intersections.", { live: false, picture: "bunny-drape.png" }),
];

export const sceneById = (id: string): CatalogueScene | undefined => SCENES.find((item) => item.id === id);
