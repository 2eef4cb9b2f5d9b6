// The mean of the sub-frames, a film curve that bends what is bright and leaves the rest as it is, sRGB, and a pattern of
// less than one step that keeps smooth grounds without rings.
#include srgb.glsl
uniform sampler2D picture;
uniform float share;    // One over the number of sub-frames.
uniform int turned;     // 1 where rows go downwards in memory.
in vec2 at_screen;
out vec4 colour;
void main()
{
    vec2 at = 0.5 + 0.5 * vec2(at_screen.x, turned != 0 ? -at_screen.y : at_screen.y);
    vec3 c = max(texture(picture, at).rgb * share, 0.0);
    const float knee = 0.75;
    vec3 bent = knee + (1.0 - knee) * (1.0 - exp(-(c - knee) / (1.0 - knee)));
    c = srgb(mix(c, bent, step(knee, c)));
    float grain = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715)))) - 0.5;
    colour = vec4(c + grain / 255.0, 1.0);
}
