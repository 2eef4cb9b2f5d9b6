#include frame.glsl
#include air.glsl
#include finish.glsl
in vec2 at_screen;
out vec4 colour;
void main() { colour = finish(air(at_screen.y), 1.0); }
