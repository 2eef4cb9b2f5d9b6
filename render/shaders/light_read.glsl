// Key light and open sky at a pixel, from the surrounding four pixels of the light buffer that have about the same distance.
#ifdef DRAFT
#include visibility.glsl
vec2 light_at(vec3 at, vec3 normal) { return vec2(visibility(at, normal, vec2(1.0, 0.0)), 1.0); }
#else
#include light_code.glsl
uniform sampler2D light_map;
vec2 light_at(vec3 at, vec3 normal)
{
    vec2 p = 0.5 * gl_FragCoord.xy - 0.5;
    ivec2 corner = ivec2(floor(p)), last = textureSize(light_map, 0) - 1;
    vec2 share = p - vec2(corner);
    float away = length(eye.xyz - at), narrow = 30.0 / away;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        ivec2 step = ivec2(i & 1, i >> 1);
        vec3 here = light_decode(texelFetch(light_map, clamp(corner + step, ivec2(0), last), 0));
        vec2 near = mix(1.0 - share, share, vec2(step)) + 0.01;
        float weight = near.x * near.y * (max(1.0 - narrow * abs(here.b - away), 0.0) + 1e-4);
        sum += weight * vec3(here.rg, 1.0);
    }
    return sum.rg / sum.b;
}
#endif
