// The light of a stage, and its floor.
import * as THREE from "three";
import type { V3 } from "../base/math.ts";
import type { Rig } from "./camera.ts";
import { Floor } from "./floor.ts";
import type { Theme } from "./looks.ts";

/** What of a studio the light depends on. */
export interface Lit { isPlain: boolean; environment: (theme: Theme) => THREE.Texture | null }

export class Light {
  private key = new THREE.DirectionalLight(0xfff3e2, 2.7);
  private rim = new THREE.DirectionalLight(0xdfeaff, 0.6);
  private fill = new THREE.HemisphereLight(0xcfe0ee, 0xd8cbb8, 0.6);
  private floor: Floor;

  constructor(private studio: Lit) {
    const { shadow } = this.key, { isPlain } = studio;
    this.key.castShadow = true;
    shadow.mapSize.set(isPlain ? 512 : 2048, isPlain ? 512 : 2048);
    shadow.radius = isPlain ? 2 : 7;
    shadow.bias = -0.0006;
    shadow.normalBias = 0.012;
    this.floor = new Floor(isPlain);
  }

  addTo(scene: THREE.Scene): void { scene.add(this.key, this.key.target, this.rim, this.fill, this.floor.mesh); }

  theme(scene: THREE.Scene, theme: Theme): void {
    this.key.intensity = theme.key;
    this.fill.intensity = this.studio.isPlain ? theme.fill + 2.6 * theme.environment : theme.fill;
    scene.environment = this.studio.environment(theme);
    scene.environmentIntensity = theme.environment;
    scene.fog = null;
    this.floor.theme(theme);
  }

  /** Height of the ground; null for none. */
  ground(height: number | null): void {
    this.floor.mesh.visible = height !== null;
    this.floor.mesh.position.y = height ?? 0;
  }

  /** Puts the floor below what the camera is on. */
  centre(size: number, middle: V3): void {
    this.floor.mesh.scale.setScalar(4.5 * size);
    this.floor.mesh.position.x = middle[0];
    this.floor.mesh.position.z = middle[2];
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
