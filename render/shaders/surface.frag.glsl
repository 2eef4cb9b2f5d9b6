// Cloth and colliders: diffuse light, transmitted light, the sheen of fibres (Estevez and Kulla 2017), a mirrored room where a surface is
// glossy, a rim light, and ambient light from room and floor, which folds darken and tint.
#include frame.glsl
#include set.glsl
#include noise.glsl
#include light_read.glsl
#include unit.glsl
#include finish.glsl
in vec3 at, facing;
in vec2 cloth, printed;
in float measured;
uniform vec3 stops[STOPS];
uniform samplerBuffer face_colours;
uniform sampler2D image;
#ifdef DETAIL
in vec3 hems, seams; // Distances from lines [m]; the smallest counts.
uniform sampler2D back_image;
#endif
layout(std140) uniform Object {
    vec4 front, back; // w: sheen; opacity.
    vec4 weave;       // Distance of the threads [m], size of the pattern [m], which pattern, gloss.
    ivec4 flags;      // Flat shading; by value; with colours of faces, (2) an image and (4) one on the back; through which light comes [percent].
    vec4 hem, seam;   // w: width [m].
};
out vec4 colour;

vec3 map(float t)
{
    int last = stops.length() - 1;
    float s = clamp(t, 0.0, 1.0) * float(last);
    int i = clamp(int(s), 0, last - 1);
    return mix(stops[i], stops[i + 1], s - float(i));
}

// 1 on even squares and 0 on odd ones; the mean if a square is smaller than a pixel.
float checker(vec2 p)
{
    vec2 width = max(fwidth(p), 1e-6), q = 2.0 * abs(fract(0.5 * p) - 0.5) - 0.5;
    vec2 side = clamp(q / width, -0.5, 0.5) * 2.0;
    return 0.5 + 0.5 * side.x * side.y;
}

float stripes(vec2 p)
{
    float width = max(fwidth(p.x), 1e-6), q = 2.0 * abs(fract(0.5 * p.x) - 0.5) - 0.5;
    return 0.5 + clamp(q / width, -0.5, 0.5);
}

// Brightness of a plain weave: each thread is a cylinder that passes over and under its neighbours. It fades where threads are smaller
// than a pixel.
float weave_light(vec2 p)
{
    vec2 cell = floor(p), q = fract(p) - 0.5;
    bool warp = mod(cell.x + cell.y, 2.0) < 0.5;
    float across = warp ? q.x : q.y, along = warp ? q.y : q.x;
    float shade = 1.0 - 1.5 * across * across - 0.5 * along * along;
    float fade = clamp(1.5 - 2.0 * max(fwidth(p.x), fwidth(p.y)), 0.0, 1.0);
    return mix(0.85, shade, fade);
}

// Threads of uneven thickness, in both directions: 1 on average.
float slubs(vec2 p)
{
    vec2 at = p / 0.004, pixel = fwidth(at), fade = clamp(1.5 - pixel, 0.0, 1.0), wide = clamp(1.5 - 0.25 * pixel, 0.0, 1.0);
    float warp = fade.x * (cloudy(vec2(at.x, 0.03 * at.y)) - 0.5), weft = fade.y * (cloudy(vec2(0.03 * at.x, at.y) + 9.0) - 0.5);
    float broad = wide.x * (cloudy(vec2(0.25 * at.x, 0.012 * at.y) + 5.0) - 0.5) + wide.y * (cloudy(vec2(0.012 * at.x, 0.25 * at.y) + 7.0) - 0.5);
    return 1.0 + 0.16 * (warp + weft) + 0.05 * broad;
}

#ifdef DETAIL
float least(vec3 v) { return min(min(v.x, v.y), v.z); }

// A band along the border, folded over: a line where it ends on the cloth.
vec3 with_hem(vec3 base)
{
    float from = least(hems), pixel = max(fwidth(from), 1e-7);
    float inside = clamp((hem.w - from) / pixel + 0.5, 0.0, 1.0);
    float fold = clamp(1.5 - abs(from - hem.w) / max(pixel, 0.05 * hem.w), 0.0, 1.0);
    return mix(base, hem.rgb, inside) * (1.0 - 0.4 * fold);
}

// A groove, dark in its middle; fainter where it is narrower than a pixel.
vec3 with_seam(vec3 base)
{
    float from = least(seams), pixel = max(fwidth(from), 1e-7), half_width = 0.5 * seam.w;
    float inside = clamp((half_width - from) / pixel + 0.5, 0.0, 1.0) * clamp(seam.w / pixel, 0.0, 1.0);
    float depth = clamp(from / half_width, 0.0, 1.0);
    return mix(base, seam.rgb * mix(0.45, 1.0, depth * depth), inside);
}

// The print on the visible side; the print of the front shows through if the back has none.
vec4 print_of(bool facing_front)
{
    vec4 before = texture(image, printed), behind = texture(back_image, printed);
    if ((flags.z & 4) == 0)
        return before * (facing_front ? vec4(1.0) : vec4(vec3(0.75), 1.0));
    return facing_front ? ((flags.z & 2) != 0 ? before : vec4(0.0)) : behind;
}
#else
vec4 print_of(bool facing_front) { return texture(image, printed) * (facing_front ? vec4(1.0) : vec4(vec3(0.75), 1.0)); }
#endif

vec3 base_of(bool facing_front)
{
    vec3 base = facing_front ? front.rgb : back.rgb;
    if ((flags.z & 1) != 0)
        base = texelFetch(face_colours, 2 * gl_PrimitiveID + (facing_front ? 0 : 1)).rgb;
    if ((flags.z & 6) != 0) { // Its colours are multiplied by their opacity.
        vec4 dyed = print_of(facing_front);
        base = base * (1.0 - dyed.a) + dyed.rgb;
    }
    if (weave.z > 1.5)
        base *= mix(0.55, 1.0, stripes(cloth / weave.y));
    if (weave.z > 0.5 && weave.z < 1.5)
        base *= mix(0.55, 1.0, checker(cloth / weave.y));
#ifdef DETAIL
    if (hem.w > 0.0)
        base = with_hem(base);
    if (seam.w > 0.0)
        base = with_seam(base);
#endif
    if (front.w > 0.0)
        base *= slubs(cloth);
    if (weave.x > 0.0)
        base *= weave_light(cloth / weave.x) * 1.15;
    return base;
}

void main()
{
    vec3 view = normalize(eye.xyz - at), face = unit(cross(dFdx(at), dFdy(at)), view);
    face = dot(face, view) < 0.0 ? -face : face;
    // The shading normal is reflected to the side of the triangle that is seen: turned by the view it would flip at outlines.
    vec3 n = flags.x != 0 ? face : unit(facing, face);
    n = dot(n, face) < 0.0 ? -n : n;
    n = unit(n + max(0.05 - dot(n, view), 0.0) * view, face);
    vec2 lit = light_at(at, face);
    bool by_value = flags.y != 0;
    vec3 base = vec3(0.0);
    if (by_value)
        base = map((measured - range.x) / max(range.y - range.x, 1e-20));
    if (!by_value)
        base = base_of(gl_FrontFacing);
    float facing_light = dot(n, to_light.xyz), sheen = by_value ? 0.0 : front.w;
    float key = max(facing_light, 0.0) * lit.x;
    float through = 0.01 * float(flags.w) * max(-facing_light, 0.0) * lit.x;
    vec3 ambient = ambient_light(n, floor_mean());
    // Light that folds reflect onto each other has their colour (Jimenez 2016).
    vec3 open = max(vec3(lit.y), ((lit.y * (2.0404 * base - 0.3324) + (-4.7951 * base + 0.6417)) * lit.y +
                                  (2.7552 * base + 0.6903)) * lit.y);
    float outline = clamp(1.0 - dot(n, view), 0.0, 1.0); // Rounding may take the product beyond 1.
    float edge = outline * outline * outline;
    vec3 rim = rim_direction();
    vec3 from_behind = max(dot(n, rim), 0.0) * edge * lit.y * vec3(0.75, 0.85, 1.0);
    vec3 middle = unit(to_light.xyz + view, n);
    float middling = max(dot(n, middle), 0.0);
    float fibres = max(1.0 - middling * middling, 0.0);
    vec3 soft = sheen * (1.6 * fibres * fibres * max(facing_light, 0.0) * lit.x * KEY_LIGHT + edge * ambient * lit.y + from_behind) *
                mix(vec3(1.0), base, 0.5);
    // Gloss: a coat that mirrors the room, rougher where it is weaker.
    float gloss = weave.w, roughness = mix(0.7, 0.12, clamp(2.0 * gloss, 0.0, 1.0));
    float fresnel = gloss > 0.0 ? (0.04 + 0.5 * edge * outline) * min(3.0 * gloss, 1.0) : 0.0;
    vec3 coat = fresnel > 0.0 ? fresnel * mirrored(reflect(-view, n), roughness, floor_mean()) * mix(lit.y, 1.0, 0.3) : vec3(0.0);
    vec3 matt = base * (ambient * open + (key + through) * KEY_LIGHT + 0.35 * from_behind);
    colour = finish(matt * (1.0 - fresnel) + soft + coat, back.w);
}
