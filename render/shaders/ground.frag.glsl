// The floor receives shadows, mirrors the wall a little, and curves into the wall with distance, so that it has no edge.
#include frame.glsl
#include set.glsl
#include noise.glsl
#include floor.glsl
#include light_read.glsl
#include finish.glsl
in vec3 at;
out vec4 colour;

vec3 floor_at(vec2 p, vec2 pixel)
{
    int kind = int(background.w + 0.5);
    return kind == 1 ? boards(p, pixel) : kind == 2 ? concrete(p, pixel) : background.rgb * 0.88;
}

void main()
{
    vec3 from_centre = at - centre.xyz;
    float height = dot(from_centre, up.xyz), square = dot(from_centre, from_centre);
    float far = sqrt(max(square - height * height, 0.0)) / to_light.w;
    vec2 lit = vec2(1.0);
    if (square < 16.0 * to_light.w * to_light.w)
        lit = light_at(at, up.xyz);
    // Boards run along the first axis that lies in the floor.
    vec3 along = abs(up.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0), across = cross(up.xyz, along);
    vec2 p = vec2(dot(at, across), dot(at, along));
    vec2 pixel = fwidth(p);
    vec3 base = floor_at(p, pixel), view = normalize(eye.xyz - at);
    float facing = max(dot(up.xyz, to_light.xyz), 0.0);
    vec3 open = vec3(mix(0.25, 1.0, lit.y));
    vec3 here = base * (ambient_light(up.xyz, floor_mean()) * open + facing * lit.x * KEY_LIGHT);
    float grazing = 1.0 - clamp(dot(view, up.xyz), 0.0, 1.0), square_grazing = grazing * grazing;
    float fresnel = 0.03 + 0.45 * square_grazing * square_grazing * grazing;
    vec3 shine = mirrored(reflect(-view, up.xyz), 0.55, floor_mean());
    here = mix(here, shine * lit.y, fresnel * (background.w > 0.5 ? 0.55 : 0.0));
    vec3 behind = air(2.0 * gl_FragCoord.xy * size.zw - 1.0);
    colour = finish(mix(here, behind, smoothstep(2.2, 7.0, far)), 1.0);
}
