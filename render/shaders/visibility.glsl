// Visibility of a light with an extent, by percentage-closer soft shadows (Fernando 2005): the mean distance of what is in the
// way says how wide the edge is. Taps stand on a spiral (Vogel 1979) that is turned from pixel to pixel.
uniform sampler2D shadow_map;

vec2 spiral(int i, int count, float turn)
{
    float angle = 2.39996323 * float(i) + turn, radius = sqrt((float(i) + 0.5) / float(count));
    return radius * vec2(cos(angle), sin(angle));
}

// A pattern whose neighbours differ most within 4 x 4 pixels (interleaved gradient noise, Jimenez 2014).
float pattern(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

// `blockers` and `taps` are none where nothing needs them: the loops end at once.
float visibility(vec3 at, vec3 normal, float turn, int blockers, int taps)
{
    float facing = dot(normal, to_light.xyz);
    vec3 from = at + normal * (sign(facing) * noise.y * (1.0 + 2.0 * sqrt(max(1.0 - facing * facing, 0.0))));
    vec3 p = (light * vec4(from, 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p.xy, vec2(1.0))))
        blockers = taps = 0;
    float behind = p.z;
    p.z = min(p.z, 0.99999); // Behind the map's end nothing is in the way but what the map has.
    float texel = 1.0 / float(textureSize(shadow_map, 0).x);
    float reach = 0.09;
    float count = 0.0, sum = 0.0;
    for (int i = 0; i < blockers; i++) {
        float depth = texture(shadow_map, p.xy + reach * spiral(i, blockers, turn)).r;
        if (depth < p.z) {
            sum += depth;
            count += 1.0;
        }
    }
    float distance = count > 0.0 ? (behind - sum / count) * range.w : 0.0;
    float width = clamp(distance * range.z / (2.0 * to_light.w), 1.2 * texel, reach);
    if (blockers > 0 && count == 0.0)
        taps = 0;
    float lit = 0.0;
    for (int i = 0; i < taps; i++)
        lit += texture(shadow_map, p.xy + width * spiral(i, taps, turn + 1.0)).r < p.z ? 0.0 : 1.0;
    return taps > 0 ? lit / float(taps) : 1.0;
}
