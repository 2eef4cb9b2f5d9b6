// The last operations of every shader of the picture: a film curve that compresses highlights and leaves the rest unchanged, sRGB, and
// a dither pattern of less than one step that prevents banding in smooth backgrounds. A separate pass would take as long as the
// surfaces.
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
