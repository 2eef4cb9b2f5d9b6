// Sums and products of pairs of floats, three at a time: `high` rounded, `low` what it leaves out, some 48 bits together.
// Knuth's two-sum, Dekker's splitting and product.
export const PAIRS = /* wgsl */ `
struct Pair { high: vec3f, low: vec3f }

fn one(a: vec3f) -> Pair { return Pair(a, vec3f(0.0)); }
fn settled(s: vec3f, e: vec3f) -> Pair {
  let high = s + e;
  return Pair(high, e - (high - s));
}

// a - b of two floats, without rounding.
fn less(a: vec3f, b: vec3f) -> Pair {
  let s = a - b;
  let t = s - a;
  return Pair(s, (a - (s - t)) - (b + t));
}

fn plus(a: Pair, b: Pair) -> Pair {
  let s = a.high + b.high;
  let t = s - a.high;
  let e = (a.high - (s - t)) + (b.high - t);
  return settled(s, e + (a.low + b.low));
}
fn minus(a: Pair, b: Pair) -> Pair { return plus(a, Pair(-b.high, -b.low)); }
fn scaled(a: Pair, power_of_two: f32) -> Pair { return Pair(a.high * power_of_two, a.low * power_of_two); }

fn times(a: Pair, b: Pair) -> Pair {
  let p = a.high * b.high;
  let ta = a.high * 4097.0;
  let tb = b.high * 4097.0;
  let ah = ta - (ta - a.high);
  let bh = tb - (tb - b.high);
  let al = a.high - ah;
  let bl = b.high - bh;
  let e = ((ah * bh - p) + (ah * bl + al * bh)) + al * bl;
  return settled(p, e + (a.high * b.low + a.low * b.high));
}

fn over(a: Pair, b: Pair) -> Pair {
  let q = a.high / b.high;
  let r = minus(a, times(one(q), b));
  let q2 = (r.high + r.low) / b.high;
  let r2 = minus(r, times(one(q2), b));
  return plus(settled(q, q2), one((r2.high + r2.low) / b.high));
}

fn first(a: Pair) -> Pair { return Pair(a.high.xxx, a.low.xxx); }
fn next(a: Pair) -> Pair { return Pair(a.high.yzx, a.low.yzx); }
fn last(a: Pair) -> Pair { return Pair(a.high.zxy, a.low.zxy); }
fn crossed(a: Pair, b: Pair) -> Pair { return minus(times(next(a), last(b)), times(last(a), next(b))); }
`;
