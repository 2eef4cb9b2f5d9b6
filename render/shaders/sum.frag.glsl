// Adds a sub-frame, made linear, to those before.
uniform sampler2D picture;
out vec4 colour;
void main()
{
    vec3 c = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
    colour = vec4(mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)), 1.0);
}
