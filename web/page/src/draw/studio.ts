// The renderer, and the light that every stage shares: an environment made in code, so that no picture is fetched.
import * as THREE from "three";
import { Light } from "./light.ts";
import { fabric, matt, THEMES, type Theme } from "./looks.ts";
import { isDark } from "./theme.ts";

// The curve of the renderer (render/shaders/finish.glsl): it compresses highlights and leaves the colours of the palette as they are.
THREE.ShaderChunk.tonemapping_pars_fragment = THREE.ShaderChunk.tonemapping_pars_fragment.replace("vec3 CustomToneMapping( vec3 color ) { return color; }", /* glsl */ `
vec3 CustomToneMapping(vec3 color) {
  const float knee = 0.75;
  return min(color, knee) + (1.0 - knee) * (1.0 - exp(-max(color - knee, 0.0) / (1.0 - knee)));
}`);

export class Studio {
  readonly renderer: THREE.WebGLRenderer;
  /** Part of the pixels that are drawn; halved where a machine is slow. */
  private share = 1;
  /** The browser draws by software: small shadows, no environment, no sheen, jagged edges, half the pixels. ?quality=high does it all the same. */
  readonly isPlain: boolean;
  /** Kept, since a program goes with the last material that uses it. */
  private warmed: THREE.Material[] = [];
  private environments = new Map<boolean, THREE.Texture>();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.isPlain = /swiftshader|llvmpipe|software|basic render/i.test(rendererName() ?? "") && new URLSearchParams(location.search).get("quality") !== "high";
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.isPlain, alpha: true, powerPreference: "high-performance" });
    if (this.isPlain) this.share = 0.5;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.CustomToneMapping;
    this.renderer.setClearColor(0, 0);
    this.renderer.setScissorTest(true);
  }

  /** A room of sky, ground and one large window on the left. */
  environment(theme: Theme): THREE.Texture | null {
    if (this.isPlain) return null;
    const known = this.environments.get(theme.dark);
    if (known) return known;
    const room = new THREE.Scene();
    const shell = new THREE.SphereGeometry(10, 32, 16), colours = new Float32Array(shell.attributes.position.count * 3);
    const sky = new THREE.Color(theme.sky), horizon = new THREE.Color(theme.horizon), ground = new THREE.Color(theme.ground), colour = new THREE.Color();
    for (let i = 0; i < colours.length / 3; i++) {
      const y = shell.attributes.position.getY(i) / 10;
      colour.copy(horizon).lerp(y > 0 ? sky : ground, Math.min(1, Math.abs(y) * 2.5)).toArray(colours, 3 * i);
    }
    shell.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    room.add(new THREE.Mesh(shell, new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide })));
    const pane = new THREE.Mesh(new THREE.PlaneGeometry(6, 7), new THREE.MeshBasicMaterial({ color: new THREE.Color(0xfff3e2).multiplyScalar(4), side: THREE.DoubleSide }));
    pane.position.set(-7, 5, 4);
    pane.lookAt(0, 0, 0);
    room.add(pane);
    const maker = new THREE.PMREMGenerator(this.renderer), texture = maker.fromScene(room, 0.03).texture;
    maker.dispose();
    this.environments.set(theme.dark, texture);
    return texture;
  }

  /** Hands the shaders of every stage to the driver, which compiles them while the engine and the scene are on their way. */
  warm(): void {
    const scene = new THREE.Scene(), light = new Light(this), theme = themeNow(), triangle = new THREE.BufferGeometry();
    for (const [name, size] of [["position", 3], ["normal", 3], ["weave", 3], ["measured", 3]] as const) triangle.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * size), size));
    light.addTo(scene);
    light.theme(scene, theme);
    const colour = new THREE.Color(1, 1, 1), materials = [fabric({ front: colour, back: colour, kind: "cloth" }, this.isPlain), matt(colour, 0.9, this.isPlain)];
    for (const material of materials) {
      const mesh = new THREE.Mesh(triangle, material);
      mesh.castShadow = mesh.receiveShadow = true;
      scene.add(mesh);
    }
    this.renderer.compile(scene, new THREE.PerspectiveCamera());
    this.warmed = materials;
  }

  resize(): void {
    const box = this.canvas.getBoundingClientRect();
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * this.share);
    this.renderer.setSize(Math.max(1, box.width), Math.max(1, box.height), false);
  }

  get isCoarse(): boolean { return this.share < 1; }
  coarser(): void {
    this.share = 0.5;
    this.resize();
  }

  dispose(): void {
    for (const material of this.warmed) material.dispose();
    for (const texture of this.environments.values()) texture.dispose();
    this.renderer.dispose();
  }
}

export const themeNow = (): Theme => THEMES[isDark() ? "dark" : "light"];

let known: string | null | undefined;
/** Who draws in three dimensions in this browser; null where nobody does. */
function rendererName(): string | null {
  if (known !== undefined) return known;
  try {
    const context = document.createElement("canvas").getContext("webgl2"), named = context?.getExtension("WEBGL_debug_renderer_info");
    known = context ? String(context.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : context.RENDERER)) : null;
    context?.getExtension("WEBGL_lose_context")?.loseContext();
  } catch { known = null; }
  return known;
}
/** Whether this browser draws in three dimensions. */
export const hasWebGL = (): boolean => rendererName() !== null;
