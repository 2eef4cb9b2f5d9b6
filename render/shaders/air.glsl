// The sky at a height of 0 (the middle of the picture and below) to 1.
vec3 air(float height) { return mix(background.rgb, background.rgb * vec3(0.80, 0.88, 0.97), clamp(height, 0.0, 1.0)); }
