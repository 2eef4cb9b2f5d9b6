#include frame.glsl
#include air.glsl
in vec2 at_screen;
out vec4 colour;
void main() { colour = vec4(air(at_screen.y), 1.0); }
