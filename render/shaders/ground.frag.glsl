// The ground shows shadows and nearby objects, and fades into the sky with distance, so that it has no edge.
#include frame.glsl
#include air.glsl
#include light_read.glsl
#include finish.glsl
in vec3 at;
out vec4 colour;
void main()
{
    vec3 from_centre = at - centre.xyz;
    float height = dot(from_centre, up.xyz), square = dot(from_centre, from_centre);
    float far = sqrt(max(square - height * height, 0.0)) / centre.w;
    vec2 lit = vec2(1.0);
    if (square < 16.0 * to_light.w * to_light.w)
        lit = light_at(at, up.xyz);
    vec3 base = background.rgb * 0.88, dark = base * vec3(0.36, 0.38, 0.43);
    vec3 behind = air(2.0 * gl_FragCoord.y * size.w - 1.0);
    vec3 here = mix(dark, base, lit.x) * mix(0.35, 1.0, lit.y);
    colour = finish(mix(here, behind, smoothstep(0.10, 0.55, far)), 1.0);
}
