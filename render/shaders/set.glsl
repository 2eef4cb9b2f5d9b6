// The set: a wall that curves into the floor, a large window on the left of the camera, and a dim one on the right behind the objects.

#define KEY_LIGHT vec3(0.95, 0.895, 0.815)

// The wall at a place of the picture, -1..1: brightest towards the window, where it has the colour of the background, and darker towards the
// corners.
vec3 air(vec2 place)
{
    vec2 from = place - vec2(-0.35, 0.10);
    return background.rgb * (1.0 - 0.17 * dot(from, from));
}

// The mean colour of the floor, for the light that it reflects onto objects.
vec3 floor_mean()
{
    int kind = int(background.w + 0.5);
    return kind == 1 ? vec3(0.31, 0.21, 0.13) : kind == 2 ? vec3(0.400, 0.388, 0.372) : background.rgb * 0.88;
}

// Directions of the windows, from that of the key light: the rim light comes from the opposite side, from behind.
vec3 rim_direction()
{
    vec3 level = to_light.xyz - dot(to_light.xyz, up.xyz) * up.xyz;
    return normalize(-level + 0.35 * length(level) * up.xyz + 1e-6 * up.xyz);
}

// Light from all directions except the key light, on a surface that faces n: over its albedo it is what a matt surface reflects.
vec3 ambient_light(vec3 n, vec3 floor_colour)
{
    float sky = 0.5 + 0.5 * dot(n, up.xyz), side = 0.5 - 0.5 * dot(n, to_light.xyz);
    vec3 above = vec3(0.235, 0.255, 0.29), below = 0.36 * floor_colour + vec3(0.02);
    vec3 light = mix(below, above, sky * sky * (3.0 - 2.0 * sky));
    return light + 0.05 * side * side * vec3(0.80, 0.92, 1.10);
}

// What a smooth surface mirrors in direction d: wall, floor, ceiling and both windows, blurred by a roughness of 0 to 1.
vec3 mirrored(vec3 d, float roughness, vec3 floor_colour)
{
    float height = dot(d, up.xyz), edge = 0.05 + 0.6 * roughness;
    vec3 room = mix(0.30 * floor_colour, 0.55 * background.rgb, smoothstep(-edge, edge, height));
    room = mix(room, vec3(0.42, 0.44, 0.47), smoothstep(0.35 - edge, 0.75 + edge, height));
    float size = mix(0.93, 0.60, roughness), blur = mix(0.02, 0.45, roughness);
    float window = smoothstep(size - blur, size + blur, dot(d, to_light.xyz));
    float rim = smoothstep(0.90 - blur, 0.90 + blur, dot(d, rim_direction()));
    return room + (window * vec3(3.2, 3.05, 2.8) + rim * vec3(0.7, 0.8, 0.95)) * mix(1.0, 0.25, roughness);
}
