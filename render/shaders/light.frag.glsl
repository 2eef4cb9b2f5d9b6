// At half the size of the picture: visibility of the key light, unoccluded ambient light, and the distance from the eye, which tells
// which pixels belong together when the buffer is smoothed and read.
#include frame.glsl
#include visibility.glsl
#include unit.glsl
#include light_code.glsl
uniform sampler2D depth_map;
out vec4 light_of;

// The position of a pixel relative to the eye.
vec3 place(ivec2 pixel)
{
    pixel = clamp(pixel, ivec2(0), ivec2(size.xy) - 1);
    vec3 ray = ray_at.xyz + float(pixel.x) * ray_x.xyz + float(pixel.y) * ray_y.xyz;
    return ray / (ray_x.w * texelFetch(depth_map, pixel, 0).r + ray_at.w);
}

// The smaller of the differences to both neighbours stays on the surface at its outline.
vec3 slope(vec3 before, vec3 here, vec3 after)
{
    vec3 a = here - before, b = after - here;
    float first = dot(a, a), second = dot(b, b);
    return second == 0.0 || (first > 0.0 && first < second) ? a : b; // Beyond the border there is no neighbour.
}

void main()
{
    ivec2 pixel = 2 * ivec2(gl_FragCoord.xy);
    float depth = texelFetch(depth_map, pixel, 0).r;
    vec3 at = place(pixel);
    float away = length(at);
    float lit = 1.0, open = 1.0;
    // Points far from the scene get neither shadow nor occlusion.
    vec3 from_centre = at + eye.xyz - centre.xyz;
    if (depth < 1.0 && dot(from_centre, from_centre) < 16.0 * to_light.w * to_light.w) {
        vec3 x = slope(place(pixel - ivec2(1, 0)), at, place(pixel + ivec2(1, 0)));
        vec3 y = slope(place(pixel - ivec2(0, 1)), at, place(pixel + ivec2(0, 1)));
        vec3 normal = unit(cross(x, y), -at / max(away, 1e-9));
        normal = dot(normal, at) > 0.0 ? -normal : normal;
        float turn = 6.2831853 * fract(pattern(gl_FragCoord.xy) + noise.x);
        vec2 along = vec2(cos(turn), sin(turn));
        lit = visibility(at + eye.xyz, normal, along);

        // Occlusion by surfaces above the tangent plane within a radius (horizons, Bavoil 2008).
        float radius = min(eye.w / (away * noise.z), 0.12 * size.y), sum = 0.0;
        for (int i = 0; i < OCCLUSION_TAPS; i++) {
            float out_by = radius * sqrt((float(i) + 0.5) / float(OCCLUSION_TAPS));
            vec3 toward = place(pixel + ivec2(out_by * along)) - at;
            float square = dot(toward, toward), over = inversesqrt(max(square, 1e-20));
            float height = dot(normal, toward) * over - 0.12;
            sum += max(height, 0.0) * max(1.0 - square * over / eye.w, 0.0);
            along = turned(along);
        }
        open = clamp(1.0 - 2.6 * sum / float(OCCLUSION_TAPS), 0.0, 1.0);
    }
    light_of = light_code(lit, open, depth < 1.0 ? away : 1e9);
}
