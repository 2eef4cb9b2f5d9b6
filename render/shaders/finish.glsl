// What every shader of the picture ends with: a film curve that bends what is bright and leaves the rest as it is, sRGB, and a
// pattern of less than one step that keeps smooth grounds without rings. A pass of its own would take as long as the surfaces.
#include srgb.glsl
vec4 finish(vec3 c, float opacity)
{
    const float knee = 0.75;
    vec3 over = max(c - knee, 0.0) / (1.0 - knee);
    // 1 - exp(-x), by a series of its inverse.
    c = min(max(c, 0.0), knee) + (1.0 - knee) * (1.0 - 1.0 / (1.0 + over * (1.0 + over * (0.5 + over * (0.16666667 + over * 0.041666667)))));
    float grain = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715)))) - 0.5;
    return vec4(srgb(c) + grain / 255.0, opacity);
}
