// Floors of oak and of concrete, by the coordinates of a place on them and the size of a pixel there [m]. Details that are smaller than a pixel
// fade. The web page has the same boards (web/page/src/draw/floor.ts).

// Boards 20 cm wide and 2.2 m long.
vec3 boards(vec2 p, vec2 pixel)
{
    float across = p.x / 0.20, board = floor(across), along = p.y / 2.2 + chance(vec2(board, 7.0));
    float piece = floor(along), own = chance(vec2(board, piece));
    float seen = clamp(1.6 - 120.0 * pixel.x, 0.0, 1.0);
    float wave = 6.0 * cloudy(vec2(p.x * 6.0, p.y * 1.1) + 31.0 * own);
    float grain = cloudy(vec2(p.x * 70.0 + wave, p.y * 1.9 + 17.0 * own));
    float fine = cloudy(vec2(p.x * 300.0 + wave, p.y * 7.0 + 5.0 * own));
    float alike = clamp(8.0 * max(pixel.x, pixel.y) - 0.3, 0.0, 1.0);
    vec3 oak = mix(vec3(0.285, 0.190, 0.117), vec3(0.330, 0.226, 0.143), mix(own, 0.5, alike));
    oak *= 1.0 + seen * (0.22 * (grain - 0.5) + 0.10 * (fine - 0.5));
    // Joints are dark, and fainter where they are narrower than a pixel.
    vec2 from = vec2(abs(fract(across + 0.5) - 0.5) * 0.20, abs(fract(along + 0.5) - 0.5) * 2.2);
    vec2 wide = max(pixel, vec2(1e-6));
    vec2 joint = clamp((0.0012 - from) / wide + 0.5, 0.0, 1.0) * clamp(0.0024 / wide, 0.0, 1.0);
    return oak * (1.0 - 0.7 * max(joint.x, joint.y));
}

vec3 concrete(vec2 p, vec2 pixel)
{
    float c = 0.5 * cloudy(p * 1.3) + 0.3 * cloudy(p * 4.1 + 3.0) + 0.2 * cloudy(p * 19.0);
    float fine = clamp(1.5 - 150.0 * max(pixel.x, pixel.y), 0.0, 1.0) * (cloudy(p * 160.0) - 0.5);
    return vec3(0.400, 0.388, 0.372) * (0.84 + 0.32 * c + 0.07 * fine);
}
