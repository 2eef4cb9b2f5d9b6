// A camera that turns about a target: yaw and pitch in degrees, distance in metres.
import * as THREE from "three";
import { clamp, type V3 } from "../base/math.ts";

export interface Aim { yaw: number; pitch: number; distance: number; target: V3 }

export class Rig {
  readonly camera = new THREE.PerspectiveCamera(30, 1, 0.02, 80);
  aim: Aim = { yaw: 25, pitch: 12, distance: 3.5, target: [0, 0.8, 0] };
  home: Aim = { ...this.aim };
  size = 1.5;
  floor: number | null = 0;
  /** Part of the picture that panels cover: right and bottom, in pixels. */
  covered = { left: 0, right: 0, bottom: 0, top: 0 };
  onChange: () => void = () => undefined;

  set(aim: Partial<Aim>): void {
    this.aim = { ...this.aim, ...aim };
    this.aim.pitch = clamp(this.aim.pitch, -80, 88);
    this.aim.distance = clamp(this.aim.distance, 0.2 * this.size, 10 * this.size);
    this.onChange();
  }

  place(width: number, height: number): void {
    const { yaw, pitch, distance, target } = this.aim, y = THREE.MathUtils.degToRad(yaw), p = THREE.MathUtils.degToRad(pitch);
    const at = new THREE.Vector3(Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p)).multiplyScalar(distance).add(new THREE.Vector3(...target));
    if (this.floor !== null) at.y = Math.max(at.y, this.floor + 0.02);
    this.camera.position.copy(at);
    this.camera.lookAt(...target);
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, (this.covered.right - this.covered.left) / 2, (this.covered.bottom - this.covered.top) / 2, width, height);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** The distance at which all corners of a box around the target are in the part of the picture that nothing covers. */
  private distanceFor(low: V3, high: V3, yaw: number, pitch: number, width: number, height: number): number {
    const y = THREE.MathUtils.degToRad(yaw), p = THREE.MathUtils.degToRad(pitch), half = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    const back = new THREE.Vector3(Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p)), right = new THREE.Vector3(Math.cos(y), 0, -Math.sin(y)), up = back.clone().cross(right);
    const { left, right: covered, bottom, top } = this.covered, tall = half * Math.max(0.3, 1 - (bottom + top) / height), wide = (half * width / height) * Math.max(0.3, 1 - (left + covered) / width);
    let most = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(...[0, 1, 2].map((axis) => ((k >> axis) & 1 ? 0.5 : -0.5) * (high[axis] - low[axis])) as V3);
      most = Math.max(most, Math.abs(corner.dot(right)) / wide + corner.dot(back), Math.abs(corner.dot(up)) / tall + corner.dot(back));
    }
    return most;
  }

  /** Fits a box with a margin of 6 %. */
  fit(low: V3, high: V3, width: number, height: number, { yaw, pitch }: { yaw: number; pitch: number }): void {
    const middle: V3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
    const wide = Math.hypot(high[0] - low[0], high[2] - low[2]) || 0.1, tall = high[1] - low[1] || 0.1;
    this.size = Math.hypot(wide, tall);
    this.aim = { yaw, pitch, distance: 1.06 * this.distanceFor(low, high, yaw, pitch, width, height), target: [middle[0], middle[1] - 0.02 * tall, middle[2]] };
    this.home = { ...this.aim };
    this.onChange();
  }

  /** Width of a pixel at a distance of 1 m in a picture of that height [m]. */
  perPixel(height: number): number { return (2 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2))) / Math.max(1, height); }

  orbit(dx: number, dy: number): void { this.set({ yaw: this.aim.yaw - dx * 0.4, pitch: this.aim.pitch + dy * 0.3 }); }

  pan(dx: number, dy: number, height: number): void {
    const scale = (2 * this.aim.distance * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2))) / height;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0), up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const t = new THREE.Vector3(...this.aim.target).addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
    this.set({ target: [t.x, t.y, t.z] });
  }

  /** By a factor, towards a point of the picture (-1..1). */
  zoom(factor: number, x = 0, y = 0): void {
    const before = this.aim.distance, ray = this.ray(x, y);
    this.set({ distance: before * factor });
    const share = 1 - this.aim.distance / before;
    const forward = new THREE.Vector3(...this.aim.target).sub(this.camera.position).normalize();
    const reach = before / Math.max(0.2, forward.dot(ray.direction));
    const point = this.camera.position.clone().addScaledVector(ray.direction, reach);
    const t = new THREE.Vector3(...this.aim.target).lerp(point, share);
    this.set({ target: [t.x, t.y, t.z] });
  }

  ray(x: number, y: number): { origin: THREE.Vector3; direction: THREE.Vector3 } {
    const origin = this.camera.position.clone();
    return { origin, direction: new THREE.Vector3(x, y, 0.5).unproject(this.camera).sub(origin).normalize() };
  }
}
