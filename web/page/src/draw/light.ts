// The light of a stage, and the ground that catches its shadow.
import * as THREE from "three";
import type { V3 } from "../base/math.ts";
import type { Rig } from "./camera.ts";
import type { Theme } from "./looks.ts";

/** What of a studio the light depends on. */
export interface Lit { isPlain: boolean; environment: (theme: Theme) => THREE.Texture | null }

export class Light {
  private key = new THREE.DirectionalLight(0xfff3e2, 2.7);
  private rim = new THREE.DirectionalLight(0xdfeaff, 0.6);
  private fill = new THREE.HemisphereLight(0xcfe0ee, 0xd8cbb8, 0.6);
  private shade = new THREE.Mesh(new THREE.CircleGeometry(1, 64), new THREE.ShadowMaterial({ opacity: 0.3 }));
  private disc = new THREE.Mesh(new THREE.CircleGeometry(1, 64), new THREE.MeshBasicMaterial({ transparent: true, depthWrite: false, alphaMap: fading(), dithering: true, toneMapped: false }));

  constructor(private studio: Lit) {
    const { shadow } = this.key, { isPlain } = studio;
    this.key.castShadow = true;
    shadow.mapSize.set(isPlain ? 512 : 2048, isPlain ? 512 : 2048);
    shadow.radius = isPlain ? 2 : 7;
    shadow.bias = -0.0006;
    shadow.normalBias = 0.012;
    this.shade.rotation.x = this.disc.rotation.x = -Math.PI / 2;
    this.shade.receiveShadow = true;
    this.disc.renderOrder = -2;
    this.shade.renderOrder = -1;
  }

  addTo(scene: THREE.Scene): void { scene.add(this.key, this.key.target, this.rim, this.fill, this.disc, this.shade); }

  theme(scene: THREE.Scene, theme: Theme): void {
    this.key.intensity = theme.key;
    this.fill.intensity = this.studio.isPlain ? theme.fill + 2.6 * theme.environment : theme.fill;
    scene.environment = this.studio.environment(theme);
    scene.environmentIntensity = theme.environment;
    scene.fog = null;
    (this.shade.material as THREE.ShadowMaterial).opacity = theme.shadow;
    (this.disc.material as THREE.MeshBasicMaterial).color.set(theme.ground);
  }

  /** Height of the ground; null for none. */
  ground(height: number | null): void {
    this.shade.visible = this.disc.visible = height !== null;
    for (const plane of [this.shade, this.disc]) plane.position.y = (height ?? 0) + (plane === this.shade ? 0.001 : 0);
  }

  /** Puts the ground's disc below what the camera is on. */
  centre(size: number, middle: V3): void {
    this.shade.scale.setScalar(6 * size);
    this.disc.scale.setScalar(5 * size);
    this.shade.position.x = this.disc.position.x = middle[0];
    this.shade.position.z = this.disc.position.z = middle[2];
  }

  /** The key light goes along with the camera's side, so that the shadow falls to the right. */
  place(rig: Rig): void {
    const { target, yaw } = rig.home, { size } = rig, a = THREE.MathUtils.degToRad(yaw - 35), r = 2.2 * size, e = THREE.MathUtils.degToRad(50);
    this.key.target.position.set(...target);
    this.key.position.set(Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)).multiplyScalar(r).add(this.key.target.position);
    this.rim.position.set(Math.sin(a + 2.6) * r, 0.5 * r, Math.cos(a + 2.6) * r);
    const box = this.key.shadow.camera;
    if (box.right === 0.85 * size) return;
    box.left = box.bottom = -0.85 * size;
    box.right = box.top = 0.85 * size;
    this.key.shadow.normalBias = 0.006 * size;
    box.near = 0.1 * size;
    box.far = 5 * size;
    box.updateProjectionMatrix();
  }

  dispose(): void { this.key.dispose(); }
}

/** White in the middle, black at the border: the ground melts into what is behind. */
function fading(): THREE.DataTexture {
  const n = 128, data = new Uint8Array(4 * n * n);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) {
    const r = Math.hypot(i - n / 2 + 0.5, j - n / 2 + 0.5) / (n / 2), t = Math.min(1, Math.max(0, 1 - r)), v = 255 * t * t * (3 - 2 * t);
    data.set([v, v, v, 255], 4 * (i + n * j));
  }
  const texture = new THREE.DataTexture(data, n, n);
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
