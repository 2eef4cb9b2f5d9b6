// The mean of 4 x 4 pixels of the light buffer at about the same distance: 4 x 4 is the period of its pattern, which vanishes.
#include frame.glsl
#include light_code.glsl
uniform sampler2D light_map;
out vec4 light_of;
void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(light_map, 0) - 1;
    float away = light_decode(texelFetch(light_map, pixel, 0)).b;
    vec3 sum = vec3(0.0);
    float narrow = 40.0 / away;
    for (int y = -2; y < 2; y++)
        for (int x = -2; x < 2; x++) {
            vec3 other = light_decode(texelFetch(light_map, clamp(pixel + ivec2(x, y), ivec2(0), last), 0));
            float weight = max(1.0 - narrow * abs(other.b - away), 0.0) + 1e-4;
            sum += weight * vec3(other.rg, 1.0);
        }
    light_of = light_code(sum.r / sum.b, sum.g / sum.b, away);
}
