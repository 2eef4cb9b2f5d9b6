// At half the size of the picture: visibility of the key light, ambient light that is not occluded, and the distance from
// the eye, which says what belongs together when the buffer is smoothed and read.
#include frame.glsl
#include visibility.glsl
#include unit.glsl
uniform sampler2D depth_map;
out vec4 light_of;

vec3 place(ivec2 pixel)
{
    pixel = clamp(pixel, ivec2(0), ivec2(size.xy) - 1);
    vec2 uv = (vec2(pixel) + 0.5) * size.zw;
    vec4 p = world * vec4(vec3(uv, texelFetch(depth_map, pixel, 0).r) * 2.0 - 1.0, 1.0);
    return p.xyz / p.w;
}

// The smaller of the differences to both neighbours stays on the surface at its outline.
vec3 slope(vec3 before, vec3 here, vec3 after)
{
    vec3 a = here - before, b = after - here;
    return dot(a, a) < dot(b, b) ? a : b;
}

void main()
{
    ivec2 pixel = 2 * ivec2(gl_FragCoord.xy);
    float depth = texelFetch(depth_map, pixel, 0).r;
    bool sky = depth >= 1.0;
    vec3 at = place(pixel), to_eye = eye.xyz - at;
    float away = length(to_eye);
    vec3 x = slope(place(pixel - ivec2(1, 0)), at, place(pixel + ivec2(1, 0)));
    vec3 y = slope(place(pixel - ivec2(0, 1)), at, place(pixel + ivec2(0, 1)));
    vec3 normal = unit(cross(x, y), to_eye / max(away, 1e-9));
    normal = dot(normal, to_eye) < 0.0 ? -normal : normal;
    // What lies far from everything gets neither shadow nor occlusion.
    bool near = !sky && length(at - centre.xyz) < 4.0 * to_light.w;
    float turn = 6.2831853 * fract(pattern(gl_FragCoord.xy) + noise.x);
    float lit = visibility(at, normal, turn, near ? 8 : 0, near ? 16 : 0);

    // Occlusion by what stands above the tangent plane within a radius (horizons, Bavoil 2008), twelve taps.
    float radius = min(eye.w / (away * noise.z), 0.12 * size.y), sum = 0.0;
    int taps = near && radius > 1.0 ? 12 : 0;
    for (int i = 0; i < taps; i++) {
        vec3 toward = place(pixel + ivec2(radius * spiral(i, 12, turn))) - at;
        float distance = length(toward);
        float height = dot(normal, toward) / max(distance, 1e-9) - 0.12;
        sum += max(height, 0.0) * max(1.0 - distance / eye.w, 0.0);
    }
    float open = taps > 0 ? clamp(1.0 - 2.6 * sum / 12.0, 0.0, 1.0) : 1.0;
    light_of = vec4(lit, open, sky ? 1e9 : away, 1.0);
}
