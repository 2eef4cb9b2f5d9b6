// A painter of closed surfaces on a 2D canvas: triangles with smooth shading and hidden parts by depth, a shadow on the floor, and lines.
// For figures of the tutorial that have thousands of triangles, without WebGL. It draws twice as finely as the canvas is shown.
import { isDark } from "./theme.ts";
import type { Eye } from "./flat.ts";

type Colour = [number, number, number];
export interface Body {
  positions: ArrayLike<number>;
  normals: ArrayLike<number>;
  stride: number;
  count: number;
  triangles: ArrayLike<number>;
  front: Colour;
  back: Colour;
  closed?: boolean;
  /** Pairs of vertices that are drawn as lines. */
  edges?: ArrayLike<number>;
  /** Particles that are drawn as dots. */
  dots?: ArrayLike<number>;
}

const LIGHT: Colour = [-0.35, 0.8, 0.45], FINE = 2, SHADES = 256;
const packed = (r: number, g: number, b: number, a = 255): number => ((a << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;

function shadesOf(colour: Colour, dark: boolean): Uint32Array {
  const dim = dark ? 0.92 : 1;
  return Uint32Array.from({ length: SHADES }, (_, i) => { const light = Math.min(1.06, 0.42 + (0.66 * i) / SHADES) * dim; return packed(...(colour.map((x) => Math.min(255, x * light)) as Colour)); });
}

export class Solid {
  eye: Eye = { yaw: 30, pitch: 12, scale: 100, middle: [0, 0, 0] };
  private context: CanvasRenderingContext2D;
  private image: ImageData | null = null;
  private pixels = new Uint32Array(0);
  private depth = new Float32Array(0);
  private screen = new Float32Array(0);
  private shade = new Float64Array(3);
  private dark = false;
  private lamp: number | null = null;
  private light: Colour = LIGHT;
  private wide = 0;
  private high = 0;

  constructor(readonly canvas: HTMLCanvasElement) { this.context = canvas.getContext("2d")!; }

  /** Draws bodies, with their shadows on a floor at that height. */
  draw(bodies: Body[], floor: number | null = null): void {
    this.dark = isDark();
    this.aim();
    this.clear();
    if (floor !== null) for (const body of bodies) this.shadow(body, floor);
    for (const body of bodies) {
      this.place(body.positions, body.stride, body.count);
      this.faces(body);
      for (let e = 0; e < (body.edges?.length ?? 0); e += 2) this.line(body.edges![e], body.edges![e + 1]);
      for (let i = 0; i < (body.dots?.length ?? 0); i++) this.dot(body.dots![i]);
    }
    this.context.putImageData(this.image!, 0, 0);
  }

  /** The light comes over the left shoulder of the first view, and stays there when the eye turns. */
  private aim(): void {
    this.lamp ??= (this.eye.yaw * Math.PI) / 180;
    const c = Math.cos(this.lamp), s = Math.sin(this.lamp);
    this.light = [c * LIGHT[0] + s * LIGHT[2], LIGHT[1], c * LIGHT[2] - s * LIGHT[0]];
  }

  private clear(): void {
    const { canvas } = this, w = Math.max(1, Math.round(canvas.clientWidth * FINE)), h = Math.max(1, Math.round(canvas.clientHeight * FINE));
    if (this.wide !== w || this.high !== h) {
      this.wide = canvas.width = w;
      this.high = canvas.height = h;
      this.image = this.context.createImageData(w, h);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.depth = new Float32Array(w * h);
    }
    this.pixels.fill(0);
    this.depth.fill(-Infinity);
  }

  /** Pixels and depths of all points; the third number grows towards the eye. */
  private place(positions: ArrayLike<number>, stride: number, count: number, floor: number | null = null): void {
    const { yaw, pitch, scale, middle } = this.eye, a = (yaw * Math.PI) / 180, b = (pitch * Math.PI) / 180, [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
    if (this.screen.length < 3 * count) this.screen = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      let x = positions[stride * i] - middle[0], y = positions[stride * i + 1] - middle[1], z = positions[stride * i + 2] - middle[2];
      if (floor !== null) { const up = (y + middle[1] - floor) / this.light[1]; x -= up * this.light[0]; z -= up * this.light[2]; y = floor - middle[1]; }
      const u = ca * x - sa * z, d = sa * x + ca * z;
      this.screen[3 * i] = this.wide / 2 + FINE * scale * u;
      this.screen[3 * i + 1] = this.high / 2 - FINE * scale * (cb * y - sb * d);
      this.screen[3 * i + 2] = sb * y + cb * d;
    }
  }

  private faces({ triangles, normals, stride, front, back }: Body): void {
    const { yaw, pitch } = this.eye, a = (yaw * Math.PI) / 180, b = (pitch * Math.PI) / 180, l = Math.hypot(...LIGHT), out = shadesOf(front, this.dark), inside = shadesOf(back, this.dark), shade = this.shade, count = triangles.length;
    // From the object towards the eye, and towards the light.
    const vx = Math.sin(a) * Math.cos(b), vy = Math.sin(b), vz = Math.cos(a) * Math.cos(b), lx = this.light[0] / l, ly = this.light[1] / l, lz = this.light[2] / l;
    for (let t = 0; t + 2 < count; t += 3) {
      const i = triangles[t], j = triangles[t + 1], k = triangles[t + 2], area = this.area(i, j, k), sign = area < 0 ? 1 : -1;
      for (let c = 0; c < 3; c++) {
        const n = stride * triangles[t + c], x = sign * normals[n], y = sign * normals[n + 1], z = sign * normals[n + 2], lit = x * lx + y * ly + z * lz, facing = x * vx + y * vy + z * vz;
        shade[c] = SHADES * Math.max(0, Math.min(0.999, 0.25 + 0.25 * lit + 0.35 * Math.max(0, lit) + 0.15 * Math.max(0, facing)));
      }
      this.triangle(i, j, k, area, sign > 0 ? out : inside);
    }
  }

  private area(i: number, j: number, k: number): number {
    const s = this.screen;
    return (s[3 * j] - s[3 * i]) * (s[3 * k + 1] - s[3 * i + 1]) - (s[3 * k] - s[3 * i]) * (s[3 * j + 1] - s[3 * i + 1]);
  }

  /** Fills the pixels whose middle is inside, row by row, where nothing nearer is; the shades of its corners are in `shade`. */
  private triangle(i: number, j: number, k: number, area: number, shades: Uint32Array): void {
    const s = this.screen, wide = this.wide, depth = this.depth, pixels = this.pixels, shade = this.shade;
    if (!(Math.abs(area) > 1e-9)) return;
    const ax = s[3 * i], ay = s[3 * i + 1], az = s[3 * i + 2], bx = s[3 * j], by = s[3 * j + 1], bz = s[3 * j + 2], cx = s[3 * k], cy = s[3 * k + 1], cz = s[3 * k + 2], over = 1 / area;
    const left = Math.max(0, Math.floor(Math.min(ax, bx, cx))), right = Math.min(wide - 1, Math.ceil(Math.max(ax, bx, cx))), top = Math.max(0, Math.floor(Math.min(ay, by, cy))), bottom = Math.min(this.high - 1, Math.ceil(Math.max(ay, by, cy)));
    const ux = (by - cy) * over, vx = (cy - ay) * over, zx = ux * (az - cz) + vx * (bz - cz), gx = ux * (shade[0] - shade[2]) + vx * (shade[1] - shade[2]);
    for (let y = top; y <= bottom; y++) {
      const px = left + 0.5, py = y + 0.5;
      let u = ((bx - px) * (cy - py) - (cx - px) * (by - py)) * over, v = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) * over;
      let z = cz + u * (az - cz) + v * (bz - cz), g = shade[2] + u * (shade[0] - shade[2]) + v * (shade[1] - shade[2]);
      for (let x = left, at = y * wide + left; x <= right; x++, at++, u += ux, v += vx, z += zx, g += gx)
        if (u >= 0 && v >= 0 && u + v <= 1 && z > depth[at]) { depth[at] = z; pixels[at] = shades[g | 0]; }
    }
  }

  private shadow({ positions, stride, count, triangles, closed }: Body, floor: number): void {
    const ink = new Uint32Array(SHADES).fill(packed(0, 0, 0, this.dark ? 96 : 44));
    this.place(positions, stride, count, floor);
    this.shade.fill(0);
    for (let t = 0; t + 2 < triangles.length; t += 3) {
      const area = this.area(triangles[t], triangles[t + 1], triangles[t + 2]);
      // The other side of a closed surface lies in the same shadow.
      if (!closed || area < 0) this.triangle(triangles[t], triangles[t + 1], triangles[t + 2], area, ink);
    }
    this.depth.fill(-Infinity);
  }

  private line(i: number, j: number): void {
    const s = this.screen, { wide, high, depth, pixels } = this, near = 4 / this.eye.scale, ink = packed(52, 48, 44);
    const steps = Math.ceil(Math.max(Math.abs(s[3 * j] - s[3 * i]), Math.abs(s[3 * j + 1] - s[3 * i + 1]))) || 1;
    for (let n = 0; n <= steps; n++) {
      const t = n / steps, x = Math.round(s[3 * i] + t * (s[3 * j] - s[3 * i])), y = Math.round(s[3 * i + 1] + t * (s[3 * j + 1] - s[3 * i + 1])), z = s[3 * i + 2] + t * (s[3 * j + 2] - s[3 * i + 2]);
      for (let k = 0; k < 2; k++) {
        const at = (y + k) * wide + x;
        if (x >= 0 && x < wide && y >= 0 && y + k < high && z + near >= depth[at]) pixels[at] = ink;
      }
    }
  }

  private dot(i: number): void {
    const s = this.screen, { wide, high, pixels } = this, r = 5 * FINE / 2, ink = this.dark ? packed(92, 195, 205) : packed(11, 106, 117);
    for (let y = -r; y <= r; y++) for (let x = -r; x <= r; x++) {
      const px = Math.round(s[3 * i] + x), py = Math.round(s[3 * i + 1] + y);
      if (x * x + y * y <= r * r && px >= 0 && px < wide && py >= 0 && py < high) pixels[py * wide + px] = ink;
    }
  }
}
