#include srgb.glsl
in vec3 tint;
uniform float opacity;
out vec4 colour;
void main() { colour = vec4(srgb(tint), opacity); }
