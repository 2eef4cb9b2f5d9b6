// The tutorial's functions by hand. They run in the figures, and their text is shown.

/** Each edge of each triangle as a row [lower vertex, higher vertex, edge number 3 t + k]. */
export function edgeRows(triangles) {
  const rows = [];
  for (let t = 0; t < triangles.length / 3; t++)
    for (let k = 0; k < 3; k++) {
      const a = triangles[3 * t + k], b = triangles[3 * t + (k + 1) % 3];
      rows.push([Math.min(a, b), Math.max(a, b), 3 * t + k]);
    }
  return rows;
}

/** Sorted by both vertices: the two rows of a shared edge are then adjacent. */
export function sortRows(rows) {
  return [...rows].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
}

/** For each edge the edge of the neighbouring triangle, or -1. `skip` is how far to go where two rows differ: 1 is right. */
export function findTriNeighbors(triangles, skip = 1) {
  const rows = sortRows(edgeRows(triangles)), neighbors = new Int32Array(triangles.length).fill(-1);
  for (let i = 0; i + 1 < rows.length;) {
    const [a, b, e] = rows[i], [c, d, f] = rows[i + 1];
    if (a === c && b === d) {
      neighbors[e] = f;
      neighbors[f] = e;
      i += 2;
    } else i += skip;
  }
  return neighbors;
}

/** Four vertices for each pair of triangles: the shared edge, then the tip of each. Each pair once. */
export function getTriPairIds(triangles, neighbors) {
  const ids = [];
  for (let e = 0; e < neighbors.length; e++) {
    const f = neighbors[e];
    if (f < e) continue;
    const t = e - e % 3, u = f - f % 3;
    ids.push(triangles[e], triangles[t + (e + 1) % 3], triangles[t + (e + 2) % 3], triangles[u + (f + 2) % 3]);
  }
  return Int32Array.from(ids);
}

/** One projection of the distance between two tips: C, its gradient n, and both corrections. `before` is the sum of the step's lambdas so far. */
export function project(x2, x3, w2, w3, d, compliance, dt, before = 0) {
  const v = x3.map((x, k) => x - x2[k]), l = Math.hypot(...v);
  const n = v.map((x) => x / l), C = l - d, alpha = compliance / dt ** 2;
  const lambda = -(C + alpha * before) / (w2 + w3 + alpha);
  return { C, n, lambda, dx2: n.map((x) => -lambda * w2 * x), dx3: n.map((x) => lambda * w3 * x) };
}

/** A chain of ten links of 10 cm hangs to rest: how much longer it is then [%]. PBD removes a part of each error, XPBD has a compliance. */
export function chainStretch(method, iterations, { stiffness = 0.1, compliance = 2e-3 } = {}) {
  const links = 10, length = 0.1, dt = 1 / 60, w = 10;   // 100 g a point
  let x = Array.from({ length: links + 1 }, (_, i) => -length * i), v = x.map(() => 0);
  for (let step = 0; step < 240; step++) {
    const before = x, lambdas = new Float64Array(links);
    x = x.map((y, i) => (i === 0 ? y : y + dt * (v[i] - 9.81 * dt)));
    for (let sweep = 0; sweep < iterations; sweep++)
      for (let i = 0; i < links; i++) {
        const xpbd = method === "xpbd", part = xpbd ? 1 : stiffness, wa = i === 0 ? 0 : w;
        const r = project([x[i]], [x[i + 1]], wa, w, length, xpbd ? compliance : 0, dt, xpbd ? lambdas[i] : 0);
        x[i] += part * r.dx2[0];
        x[i + 1] += part * r.dx3[0];
        lambdas[i] += r.lambda;
      }
    v = x.map((y, i) => (0.9 * (y - before[i])) / dt);
  }
  return 100 * (-x[links] / (links * length) - 1);
}

/** Colours so that no two edges of a colour share a vertex: each edge takes the first that is free at both ends. */
export function colourEdges(edges) {
  const used = new Map(), colours = [];
  for (const [a, b] of edges) {
    let colour = 0;
    while (used.get(a)?.has(colour) || used.get(b)?.has(colour)) colour++;
    for (const v of [a, b]) used.set(v, (used.get(v) ?? new Set()).add(colour));
    colours.push(colour);
  }
  return colours;
}

/** One projection of the height of v over its two neighbours: h = |v - c| against h0 + kappa, where c is the mean of all three points (Kelager et al. 2010, equations 3 to 9). */
export function projectHeight(b0, b1, v, w, h0, kappa, relation = "equal") {
  const d = v.map((x, k) => (2 * x - b0[k] - b1[k]) / 3), h = Math.hypot(...d), C = h - (h0 + kappa);
  const acts = h > 0 && (relation === "equal" || (relation === "at_most" ? C > 0 : C < 0));   // At h = 0 no direction is better.
  const n = d.map((x) => x / (h || 1)), share = acts ? 3 * C / (w[0] + w[1] + 4 * w[2]) : 0;
  return { C, h, n, acts, db0: n.map((x) => share * w[0] * x), db1: n.map((x) => share * w[1] * x), dv: n.map((x) => -2 * share * w[2] * x) };
}

/** The height with a sign: on which side of the surface v lies, seen along its normal. In the mirror image C is -2 h0 and not 0. */
export function signedHeight(b0, b1, v, normal, rest) {
  const d = v.map((x, k) => (2 * x - b0[k] - b1[k]) / 3), side = d.reduce((sum, x, k) => sum + x * normal[k], 0) < 0 ? -1 : 1;
  return side * Math.hypot(...d) - rest;
}
