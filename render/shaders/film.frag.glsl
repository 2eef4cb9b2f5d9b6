// The mean of the sub-frames as sRGB, or the only sub-frame, which is sRGB already.
#include srgb.glsl
uniform sampler2D picture;
uniform float share;    // One over the number of sub-frames; 0 for a finished picture.
uniform int turned;     // 1 where rows go downwards in memory.
in vec2 at_screen;
out vec4 colour;
void main()
{
    vec3 c = texture(picture, 0.5 + 0.5 * vec2(at_screen.x, turned != 0 ? -at_screen.y : at_screen.y)).rgb;
    colour = vec4(share > 0.0 ? srgb(c * share) : c, 1.0);
}
