// One session as a picture: surfaces, colliders, ground with shadow, pins, hands, balls, a stroke.
import * as THREE from "three";
import type { Collider, MeasureName } from "pliant";
import { Mesh } from "pliant";
import type { Pin, SceneSession } from "../engine/session.ts";
import { triple, type V3 } from "../base/math.ts";
import { matt, type Theme } from "./looks.ts";
import { Rig } from "./camera.ts";
import { Light } from "./light.ts";
import { smoothNormals, Surface } from "./surface.ts";
import type { Studio } from "./studio.ts";

export interface Measure { name: MeasureName; signed: boolean }
export interface Region { x: number; y: number; width: number; height: number }

/** The circle in which a tool acts: around a point of a surface, or around a vertex where it is null. */
export interface Ring { deformable: number; vertex: number; point: V3 | null; radius: number; outer: number }

const PINS = 2048;
/** A pin of more particles than this was painted, and has a dot on each. */
const PATCH = 24;
/** The session's balls are the last colliders; those in its pool are smaller than `HIDDEN` [m]. */
const BALLS = 4, HIDDEN = 1e-5;
/** Least radius of a pin's head [pixels], and that of the dot on each particle of a patch. */
const HEAD = 6, DOT = 2.5;
const ACCENT = { light: 0x0b6a75, dark: 0x5cc3cd }, AMBER = 0xd58a1c;

export class Stage {
  rig = new Rig();
  readonly scene = new THREE.Scene();
  measure: Measure | null = null;
  /** Colours of the legend's ends, in the measure's unit. */
  range: [number, number] = [0, 1];
  /** Positions of the first deformable from elsewhere (the graphics card), 3 numbers a particle; null for the session's. */
  other: Float32Array | null = null;
  /** One colour for all cloth, where models are compared. */
  private linen = false;
  private surfaces: Surface[] = [];
  private figures: { object: THREE.Mesh; collider: Collider; animated: boolean }[] = [];
  private light: Light;
  private pins = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: ACCENT.light }), PINS);
  /** White rims around the heads of pins, so that they are seen on any colour. */
  private rims = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: 0xffffff, side: THREE.BackSide }), PINS);
  private balls: THREE.Mesh[] = [];
  private bands: THREE.Line[] = [];
  /** The tool's circle as it is drawn; null for none. */
  ring: Ring | null = null;
  private stroke = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineDashedMaterial({ color: 0xa3212f, dashSize: 0.02, gapSize: 0.012, depthTest: false }));
  private marker = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: AMBER, depthTest: false, transparent: true }));
  private builtOf: SceneSession["source"] | null = null;
  private wired = false;
  private opening: { low: V3; high: V3; angles: { yaw: number; pitch: number } } = { low: [0, 0, 0], high: [1, 1, 1], angles: { yaw: 25, pitch: 12 } };

  constructor(readonly studio: Studio, public session: SceneSession, theme: Theme) {
    this.light = new Light(studio);
    this.pins.count = this.rims.count = 0;
    this.pins.frustumCulled = this.rims.frustumCulled = this.stroke.frustumCulled = false;
    this.stroke.visible = this.marker.visible = false;
    this.stroke.renderOrder = this.marker.renderOrder = 5;
    this.light.addTo(this.scene);
    this.scene.add(this.pins, this.rims, this.stroke, this.marker);
    this.theme(theme);
    this.build();
    this.fit();
  }

  theme(theme: Theme): void {
    this.light.theme(this.scene, theme);
    (this.pins.material as THREE.MeshBasicMaterial).color.set(theme.dark ? ACCENT.dark : ACCENT.light);
    for (const surface of this.surfaces) (surface.wire.material as THREE.LineBasicMaterial).color.set(theme.dark ? 0xeef0f1 : 0x1d2327);
  }

  /* ---- what is there ---------------------------------------------------------------------------------------- */

  /** Takes the session's world as it is now: after a reset, another scene, a cut, a way back. Surfaces with the same faces stay. */
  build(): void {
    for (const { object } of this.figures) { this.scene.remove(object); disposeAll(object); }
    this.figures = [];
    const { session } = this, kind = session.source.surface, same = this.builtOf === session.source && this.surfaces.length === session.deformables.length;
    if (!(same && session.deformables.every((one, i) => this.surfaces[i].fits(one)))) this.buildSurfaces(kind);
    this.builtOf = session.source;
    this.buildColliders();
    this.buildGround();
    this.update();
  }

  useLinen(): void {
    this.linen = true;
    this.builtOf = null;
    this.build();
  }

  private buildSurfaces(kind: SceneSession["source"]["surface"]): void {
    const { session } = this;
    for (const surface of this.surfaces) { this.scene.remove(surface.mesh, surface.wire, surface.border); surface.dispose(); }
    this.surfaces = session.deformables.map((one, i) => {
      const look = session.scene.look(i), front = new THREE.Color(...look.front), back = new THREE.Color(...look.back);
      if (this.linen) { front.setHex(0xd9cdb8); back.setHex(0xb08d62); }
      const surface = new Surface({ front, back, kind, hem: look.hem, hemColour: new THREE.Color(...look.hem_colour), pattern: look.pattern, patternSize: look.pattern_size }, this.studio.isPlain);
      surface.shape(one);
      if (this.wired) surface.wires(true);
      surface.borders(session.isCut);
      this.scene.add(surface.mesh, surface.wire, surface.border);
      return surface;
    });
  }

  private buildColliders(): void {
    const { session } = this;
    session.world.colliders.slice(0, -BALLS).forEach((collider, i) => {
      const { shape } = collider.properties, look = session.scene.colliderLook(i);
      if (!look.visible || shape === "plane") return;
      const object = new THREE.Mesh(shapeGeometry(collider), matt(new THREE.Color(...look.colour), 0.9, this.studio.isPlain)), animated = shape === "mesh";
      object.castShadow = object.receiveShadow = true;
      object.matrixAutoUpdate = false;
      object.frustumCulled = !animated;
      this.figures.push({ object, collider, animated });
      this.scene.add(object);
    });
  }

  private buildGround(): void {
    const ground = this.session.ground;
    this.rig.floor = ground;
    this.light.ground(ground);
  }

  get triangles(): number { return this.surfaces.reduce((sum, one) => sum + (one.mesh.geometry.index?.count ?? 0) / 3, 0); }

  get isWired(): boolean { return this.wired; }
  wireframe(on: boolean): void {
    this.wired = on;
    for (const surface of this.surfaces) surface.wires(on);
  }

  /** The box of what moves. */
  bounds(): { low: V3; high: V3 } {
    const low: V3 = [Infinity, Infinity, Infinity], high: V3 = [-Infinity, -Infinity, -Infinity];
    const take = (minimum: ArrayLike<number>, maximum: ArrayLike<number>): void => {
      for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], minimum[k]); high[k] = Math.max(high[k], maximum[k]); }
    };
    for (const one of this.session.deformables) take(one.bounds.minimum, one.bounds.maximum);
    for (const { object } of this.figures) {
      const box = new THREE.Box3().setFromObject(object);
      if (!box.isEmpty() && box.max.y - box.min.y < 3) take(box.min.toArray(), box.max.toArray());
    }
    return { low, high };
  }

  fit(region: { width: number; height: number } = this.studio.canvas.getBoundingClientRect()): void {
    const { low, high } = this.bounds(), view = this.session.scene.view;
    const angles = view.fitted ? { yaw: view.azimuth, pitch: view.elevation } : yawPitch(triple(view.eye), triple(view.target));
    const floor = this.session.ground;
    if (floor !== null && low[1] - floor < 1) low[1] = Math.min(low[1], floor);
    this.opening = { low, high, angles };
    this.home(region);
  }

  /** The camera of the scene, as it was when the scene was opened. */
  home(region: { width: number; height: number } = this.studio.canvas.getBoundingClientRect()): void {
    const { low, high, angles } = this.opening;
    this.rig.fit(low, high, Math.max(1, region.width), Math.max(1, region.height), angles);
    this.fitGround();
  }

  /** Everything as it is now, seen from where the camera is. */
  frame(region: { width: number; height: number } = this.studio.canvas.getBoundingClientRect()): void {
    const { low, high } = this.bounds(), { yaw, pitch } = this.rig.aim;
    this.rig.fit(low, high, Math.max(1, region.width), Math.max(1, region.height), { yaw, pitch });
    this.fitGround();
  }

  /** A box instead of the cloth's own, for scenes that are compared: the box in which the cloth will move. */
  fitBox(low: V3, high: V3, region: { width: number; height: number }, angles: { yaw: number; pitch: number }): void {
    this.opening = { low, high, angles };
    this.home(region);
  }

  /** Puts the ground's disc below what the camera is on. */
  fitGround(): void {
    this.light.centre(this.rig.size, this.rig.aim.target);
  }

  /* ---- each picture ----------------------------------------------------------------------------------------- */

  update(): void {
    const { session } = this;
    session.deformables.forEach((one, i) => {
      const surface = this.surfaces[i];
      if (!surface) return;
      if (i === 0 && this.other?.length === 3 * one.vertexCount) surface.update({ positions: this.other, stride: 3 });
      else surface.update(one);
      surface.colour(this.measure ? one.measure(this.measure.name) : null, this.range[0], this.range[1], this.measure?.signed ?? false);
    });
    for (const { object, collider, animated } of this.figures) {
      if (animated) followVertices(object.geometry, collider);
      object.matrix.copy(poseMatrix(collider));
      object.matrixWorldNeedsUpdate = true;
    }
    this.light.place(this.rig);
    this.drawBalls();
    this.drawBands();
  }

  /** Pins as heads on the side of the surface that is seen, with a least size on the screen. */
  private drawPins(height: number): void {
    const matrix = new THREE.Matrix4(), eye = this.rig.camera.position, perPixel = this.rig.perPixel(height);
    let count = 0;
    const head = (x: number, y: number, z: number, size: number, least: number): void => {
      const away = Math.hypot(x - eye.x, y - eye.y, z - eye.z), r = Math.max(size * this.rig.size, least * perPixel * away);
      if (count >= PINS) return;
      const k = r / Math.max(away, r), [px, py, pz] = [x + k * (eye.x - x), y + k * (eye.y - y), z + k * (eye.z - z)];
      this.pins.setMatrixAt(count, matrix.makeScale(r, r, r).setPosition(px, py, pz));
      // Dots of a brush have no rim: they stand close together.
      const rim = least === HEAD ? 1.35 * r : 0;
      this.rims.setMatrixAt(count++, matrix.makeScale(rim, rim, rim).setPosition(px, py, pz));
    };
    for (const pin of this.session.pins) {
      const { stride, positions: p } = this.session.deformables[pin.deformable], isPainted = pin.particles.length > PATCH;
      const at = isPainted ? pin.particles : [this.headOf(pin)];
      for (const i of at) head(p[stride * i], p[stride * i + 1], p[stride * i + 2], isPainted ? 0.0036 : 0.009, isPainted ? DOT : HEAD);
    }
    this.pins.count = this.rims.count = count;
    if (count > 0) this.pins.instanceMatrix.needsUpdate = this.rims.instanceMatrix.needsUpdate = true;
  }

  /** The particle of a pin that is nearest to its middle. */
  headOf({ deformable, particles }: Pick<Pin, "deformable" | "particles">): number {
    const { stride, positions: p } = this.session.deformables[deformable], sum: V3 = [0, 0, 0];
    for (const i of particles) for (let k = 0; k < 3; k++) sum[k] += p[stride * i + k] / particles.length;
    const away = (i: number): number => Math.hypot(p[stride * i] - sum[0], p[stride * i + 1] - sum[1], p[stride * i + 2] - sum[2]);
    return particles.reduce((best, i) => (away(i) < away(best) ? i : best), particles[0]);
  }

  /** Point of the ring now. */
  get ringPoint(): V3 | null {
    const { ring } = this, one = ring && this.session.deformables[ring.deformable];
    if (!ring || !one || ring.vertex >= one.vertexCount) return null;
    const k = one.stride * ring.vertex, p = one.positions;
    return ring.point ?? [p[k], p[k + 1], p[k + 2]];
  }

  private drawBalls(): void {
    const { core, world } = this.session, active = core.state.balls > 0 ? world.colliders.slice(-BALLS).filter((one) => one.radius > HIDDEN) : [];
    while (this.balls.length < active.length) {
      const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 20), matt(new THREE.Color(0xd19a3a), 0.55, this.studio.isPlain));
      ball.castShadow = ball.receiveShadow = true;
      this.balls.push(ball);
      this.scene.add(ball);
    }
    this.balls.forEach((ball, i) => {
      ball.visible = i < active.length;
      if (!ball.visible) return;
      ball.position.set(...triple(active[i].pose.position));
      ball.scale.setScalar(active[i].radius * 0.97);
    });
  }

  private drawBands(): void {
    const holds = this.session.core.hands;
    while (this.bands.length < holds.length) {
      const band = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), new THREE.LineBasicMaterial({ depthTest: false }));
      band.renderOrder = 5;
      band.frustumCulled = false;
      this.bands.push(band);
      this.scene.add(band);
    }
    this.bands.forEach((band, i) => {
      band.visible = i < holds.length && holds[i].holds;
      if (!band.visible) return;
      const { force, limit, target, deformable: one, vertex } = holds[i], p = one.positions, k = one.stride * vertex;
      const ends = band.geometry.attributes.position as THREE.BufferAttribute;
      ends.setXYZ(0, p[k], p[k + 1], p[k + 2]);
      ends.setXYZ(1, ...triple(target));
      ends.needsUpdate = true;
      (band.material as THREE.LineBasicMaterial).color.set(Math.hypot(...force) > 0.97 * limit ? AMBER : ACCENT.light);
    });
  }

  /** The keyboard's cursor; null for none. */
  mark(point: V3 | null): void {
    this.marker.visible = point !== null;
    if (!point) return;
    this.marker.position.set(...point);
    this.marker.scale.setScalar(0.012 * this.rig.size);
  }

  /** A stroke in preview; null for none. */
  preview(points: V3[] | null): void {
    this.stroke.visible = points !== null && points.length > 1;
    if (!points || points.length < 2) return;
    this.stroke.geometry.dispose();
    this.stroke.geometry = new THREE.BufferGeometry().setFromPoints(points.map((p) => new THREE.Vector3(...p)));
    this.stroke.computeLineDistances();
  }

  draw(region: Region): void {
    const { renderer, canvas } = this.studio, tall = canvas.clientHeight;
    renderer.setViewport(region.x, tall - region.y - region.height, region.width, region.height);
    renderer.setScissor(region.x, tall - region.y - region.height, region.width, region.height);
    this.rig.place(region.width, region.height);
    this.drawPins(region.height);
    const at = this.ringPoint;
    this.surfaces.forEach((surface, i) => surface.ring(this.ring?.deformable === i ? at : null, this.ring?.radius ?? 0, this.ring?.outer ?? 0));
    renderer.render(this.scene, this.rig.camera);
  }

  /** Where a point is in the picture, in pixels of the region. */
  project(point: V3, region: { width: number; height: number }): { x: number; y: number } {
    this.rig.place(region.width, region.height);
    const p = new THREE.Vector3(...point).project(this.rig.camera);
    return { x: ((p.x + 1) / 2) * region.width, y: ((1 - p.y) / 2) * region.height };
  }

  dispose(): void {
    for (const surface of this.surfaces) surface.dispose();
    this.scene.traverse(disposeOne);
    this.light.dispose();
  }
}

function disposeOne(object: THREE.Object3D): void {
  const { geometry, material } = object as THREE.Mesh;
  geometry?.dispose();
  for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
}
const disposeAll = (object: THREE.Object3D): void => object.traverse(disposeOne);

function poseMatrix(collider: Collider): THREE.Matrix4 {
  const { position, rotation } = collider.pose;
  return new THREE.Matrix4().compose(new THREE.Vector3(...position), new THREE.Quaternion(...rotation), new THREE.Vector3(1, 1, 1));
}

function yawPitch(eye: V3, target: V3): { yaw: number; pitch: number } {
  const d = [eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]];
  return { yaw: THREE.MathUtils.radToDeg(Math.atan2(d[0], d[2])), pitch: THREE.MathUtils.radToDeg(Math.atan2(d[1], Math.hypot(d[0], d[2]))) };
}

/** A collider's surface in its own frame. */
function shapeGeometry(collider: Collider): THREE.BufferGeometry {
  const { shape, radius, half_height: half, half_extents: box } = collider.properties;
  if (shape === "sphere") return new THREE.SphereGeometry(radius * 0.985, 48, 32);
  if (shape === "box") { const e = triple(box); return new THREE.BoxGeometry(2 * e[0], 2 * e[1], 2 * e[2]); }
  if (shape === "cylinder") return new THREE.CylinderGeometry(radius * 0.985, radius * 0.985, 2 * half, 48);
  const own = collider.mesh, mesh = own ?? Mesh.shape(collider.properties), geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(own ? collider.copyVertices() : Float32Array.from(mesh.topology.positions), 3));
  geometry.setIndex(new THREE.Uint32BufferAttribute(Uint32Array.from(mesh.topology.triangles), 1));
  geometry.computeVertexNormals();
  mesh.dispose();
  return geometry;
}

/** Gives a mesh the vertices that its collider has now. */
function followVertices({ attributes: { position, normal }, index }: THREE.BufferGeometry, collider: Collider): void {
  const now = collider.copyVertices(), shown = position.array as Float32Array;
  if (now.every((x, i) => x === shown[i])) return;
  shown.set(now);
  smoothNormals(shown, index!.array as Uint32Array, normal.array as Float32Array);
  position.needsUpdate = normal.needsUpdate = true;
}
