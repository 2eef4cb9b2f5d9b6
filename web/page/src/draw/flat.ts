// A small painter on a 2D canvas: triangles from back to front, shaded by their normal. For the tutorial's figures, which need no
// WebGL, and light enough for a phone.
import { isDark } from "./theme.ts";

export interface Eye { yaw: number; pitch: number; scale: number; middle: [number, number, number] }
export interface Paint { front: [number, number, number]; back: [number, number, number]; lines?: string; values?: (face: number) => string | null }

export class Flat {
  readonly canvas: HTMLCanvasElement;
  private context: CanvasRenderingContext2D;
  private depth: Float32Array = new Float32Array(0);
  private order: number[] = [];
  private screen: Float32Array = new Float32Array(0);
  eye: Eye = { yaw: 55, pitch: 12, scale: 900, middle: [0, 0, 0] };

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d")!;
  }

  clear(): CanvasRenderingContext2D {
    const { canvas, context } = this, ratio = Math.min(2, devicePixelRatio), w = canvas.clientWidth * ratio, h = canvas.clientHeight * ratio;
    if (canvas.width !== Math.round(w) || canvas.height !== Math.round(h)) { canvas.width = Math.round(w); canvas.height = Math.round(h); }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    return context;
  }

  /** Pixel of a point, with its depth. */
  project(x: number, y: number, z: number): [number, number, number] {
    const { yaw, pitch, scale, middle } = this.eye, a = (yaw * Math.PI) / 180, b = (pitch * Math.PI) / 180;
    const px = x - middle[0], py = y - middle[1], pz = z - middle[2];
    const u = Math.cos(a) * px - Math.sin(a) * pz, d = Math.sin(a) * px + Math.cos(a) * pz, v = Math.cos(b) * py - Math.sin(b) * d;
    return [this.canvas.clientWidth / 2 + scale * u, this.canvas.clientHeight / 2 - scale * v, Math.sin(b) * py + Math.cos(b) * d];
  }

  mesh(positions: ArrayLike<number>, stride: number, triangles: ArrayLike<number>, count: number, paint: Paint): void {
    const faces = triangles.length / 3, { context } = this;
    if (this.screen.length < 3 * count) this.screen = new Float32Array(3 * count);
    if (this.depth.length < faces) { this.depth = new Float32Array(faces); this.order = Array.from({ length: faces }, (_, i) => i); }
    for (let i = 0; i < count; i++) this.screen.set(this.project(positions[stride * i], positions[stride * i + 1], positions[stride * i + 2]), 3 * i);
    const s = this.screen;
    for (let t = 0; t < faces; t++) this.depth[t] = s[3 * triangles[3 * t] + 2] + s[3 * triangles[3 * t + 1] + 2] + s[3 * triangles[3 * t + 2] + 2];
    const order = this.order.slice(0, faces).sort((a, b) => this.depth[a] - this.depth[b]);
    context.lineJoin = "round";
    for (const t of order) this.face(t, triangles, positions, stride, paint);
  }

  private face(t: number, triangles: ArrayLike<number>, p: ArrayLike<number>, stride: number, paint: Paint): void {
    const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]], s = this.screen, { context } = this;
    const e = [0, 1, 2].map((k) => p[stride * b + k] - p[stride * a + k]), f = [0, 1, 2].map((k) => p[stride * c + k] - p[stride * a + k]);
    const n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]], l = Math.hypot(n[0], n[1], n[2]) || 1;
    const area = (s[3 * b] - s[3 * a]) * (s[3 * c + 1] - s[3 * a + 1]) - (s[3 * c] - s[3 * a]) * (s[3 * b + 1] - s[3 * a + 1]), front = area < 0;
    const light = 0.5 + 0.5 * Math.abs((-0.35 * n[0] + 0.8 * n[1] + 0.45 * n[2]) / l), colour = front ? paint.front : paint.back, dim = isDark() ? 0.92 : 1;
    context.fillStyle = paint.values?.(t) ?? `rgb(${colour.map((x) => Math.round(x * light * dim)).join()})`;
    context.strokeStyle = paint.lines ?? context.fillStyle;
    context.lineWidth = paint.lines ? 0.8 : 0.7;
    context.beginPath();
    context.moveTo(s[3 * a], s[3 * a + 1]);
    context.lineTo(s[3 * b], s[3 * b + 1]);
    context.lineTo(s[3 * c], s[3 * c + 1]);
    context.closePath();
    context.fill();
    context.stroke();
  }
}
