// Visibility of a light with an extent, by percentage-closer soft shadows (Fernando 2005): the mean distance of the occluders
// determines the width of the edge. Taps are on a spiral (Vogel 1979) that is rotated from pixel to pixel.
uniform sampler2D shadow_map;

// The next direction of the spiral: each is rotated by the golden angle from the previous one.
vec2 turned(vec2 along) { return vec2(-0.73736888 * along.x - 0.67549029 * along.y, 0.67549029 * along.x - 0.73736888 * along.y); }

// A pattern whose neighbours differ most within 4 x 4 pixels (interleaved gradient noise, Jimenez 2014).
float pattern(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

// `along` is the start of the spiral.
float visibility(vec3 at, vec3 normal, vec2 along)
{
    float facing = dot(normal, to_light.xyz);
    vec3 from = at + normal * (sign(facing) * noise.y * (1.0 + 2.0 * sqrt(max(1.0 - facing * facing, 0.0))));
    vec3 p = (light * vec4(from, 1.0)).xyz * 0.5 + 0.5;
    float behind = p.z;
    p.z = min(p.z, 0.99999); // Beyond the end of the map, only objects in the map cast shadows.
    float texel = 1.0 / float(textureSize(shadow_map, 0).x), reach = 0.09, width = 1.2 * texel;
    bool open = false;
#if BLOCKER_TAPS > 0
    float count = 0.0, sum = 0.0;
    for (int i = 0; i < BLOCKER_TAPS; i++) {
        float out_by = reach * sqrt((float(i) + 0.5) / float(BLOCKER_TAPS));
        float depth = texture(shadow_map, p.xy + out_by * along).r, hides = step(depth, p.z);
        sum += depth * hides;
        count += hides;
        along = turned(along);
    }
    open = count == 0.0;
    width = clamp((behind - sum / max(count, 1.0)) * range.w * range.z / (2.0 * to_light.w), width, reach);
#endif
    float dark = 0.0;
    for (int i = 0; i < SHADOW_TAPS; i++) {
        float out_by = width * sqrt((float(i) + 0.5) / float(SHADOW_TAPS));
        dark += step(texture(shadow_map, p.xy + out_by * along).r, p.z);
        along = turned(along);
    }
    bool beside = open || any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p.xy, vec2(1.0)));
    return beside ? 1.0 : 1.0 - dark / float(SHADOW_TAPS);
}
