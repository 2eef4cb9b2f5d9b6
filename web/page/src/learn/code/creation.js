// Constraint creation by hand (Kelager and others 2010, Figure 6). The figure compares each count with the library's.

/** The neighbours of each vertex, ascending, from pairs of vertices. */
export function ringsOf(edges, count) {
  const rings = Array.from({ length: count }, () => []);
  for (let e = 0; e < edges.length; e += 2) {
    rings[edges[e]].push(edges[e + 1]);
    rings[edges[e + 1]].push(edges[e]);
  }
  for (const ring of rings) ring.sort((a, b) => a - b);
  return rings;
}

/** For each neighbour of v the one that lies straightest across: the smallest cosine below the bound, or -1. */
export function straightest(positions, ring, v, bound, tolerance) {
  const directions = ring.map((u) => {
    const d = [0, 1, 2].map((k) => positions[3 * u + k] - positions[3 * v + k]), inverse = 1 / Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return d.map((x) => x * inverse);
  });
  return directions.map((a, i) => directions.reduce((best, b, j) => {
    const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return j !== i && cosine < best.cosine - (best.at < 0 ? 0 : tolerance) ? { at: j, cosine } : best;
  }, { at: -1, cosine: bound }).at);
}

/** Figure 6 corrected: each vertex with each of its straightest pairs of neighbours, once. */
export function triples(positions, rings) {
  const made = [];
  rings.forEach((ring, v) => {
    const pairs = new Map();
    straightest(positions, ring, v, -0.05, 1e-6).forEach((j, i) => { if (j >= 0) pairs.set(Math.min(i, j) * ring.length + Math.max(i, j), [ring[Math.min(i, j)], ring[Math.max(i, j)], v]); });
    made.push(...[...pairs.keys()].sort((a, b) => a - b).map((key) => pairs.get(key)));
  });
  return made;
}

/** Figure 6 with the test index(vi) < index(vbest) in line 14: a pair that is straightest in one direction only may be lost. */
export function triplesByIndex(positions, rings) {
  const made = [];
  rings.forEach((ring, v) => straightest(positions, ring, v, 0, 0).forEach((j, i) => { if (j >= 0 && ring[i] < ring[j]) made.push([ring[i], ring[j], v]); }));
  return made;
}

/** Figure 6 as printed, with the map cons[]: where nothing lies across, v_best is still v_i, and the triple has two equal points. */
export function triplesByMap(positions, rings) {
  const made = [], cons = rings.map(() => -1);
  rings.forEach((ring, v) => straightest(positions, ring, v, 0, 0).forEach((j, i) => {
    const vi = ring[i], best = j < 0 ? vi : ring[j];
    if (cons[best] === vi) return;
    cons[vi] = best;
    made.push([vi, best, v]);
  }));
  return made;
}

/** Edges that two faces share: one dihedral angle each. */
export function sharedEdges(offsets, vertices) {
  const faces = new Map();
  for (let f = 0; f + 1 < offsets.length; f++)
    for (let k = offsets[f]; k < offsets[f + 1]; k++) {
      const a = vertices[k], b = vertices[k + 1 < offsets[f + 1] ? k + 1 : offsets[f]], key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      faces.set(key, (faces.get(key) ?? 0) + 1);
    }
  return [...faces.values()].filter((n) => n === 2).length;
}

/** Sticks between every second, unconnected vertex: the ends of each straight triple. */
export function sticks(positions, rings) {
  const pairs = triples(positions, rings).filter(([a, b]) => !rings[a].includes(b));
  return new Set(pairs.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`)).size;
}
