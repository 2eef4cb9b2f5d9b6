// Value noise: a random number of a cell, and a smooth function of the plane, both 0..1.
float chance(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.547); }

float cloudy(vec2 p)
{
    vec2 cell = floor(p), q = fract(p);
    q = q * q * (3.0 - 2.0 * q);
    return mix(mix(chance(cell), chance(cell + vec2(1.0, 0.0)), q.x),
               mix(chance(cell + vec2(0.0, 1.0)), chance(cell + vec2(1.0, 1.0)), q.x), q.y);
}
