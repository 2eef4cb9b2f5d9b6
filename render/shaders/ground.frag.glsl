// The ground shows shadows and what comes near it, and becomes the sky with distance, so that it has no edge.
#include frame.glsl
#include air.glsl
#include light_read.glsl
in vec3 at;
out vec4 colour;
void main()
{
    float far = length((at - centre.xyz) - up.xyz * dot(at - centre.xyz, up.xyz)) / centre.w;
    vec2 lit = light_at(at, up.xyz);
    vec3 base = background.rgb * 0.88, dark = base * vec3(0.36, 0.38, 0.43);
    vec3 behind = air(2.0 * gl_FragCoord.y * size.w - 1.0);
    vec3 here = mix(dark, base, lit.x) * mix(0.35, 1.0, lit.y);
    colour = vec4(mix(here, behind, smoothstep(0.10, 0.55, far)), 1.0);
}
