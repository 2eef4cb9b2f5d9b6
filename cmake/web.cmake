# The library for JavaScript: one .wasm whose exports are those of web/wasm, over the public headers. web/build makes the npm
# package of it.
file(GLOB web_sources CONFIGURE_DEPENDS web/wasm/*.c)
add_executable(pliant_web ${web_sources})
set_target_properties(pliant_web PROPERTIES OUTPUT_NAME pliant SUFFIX .wasm)
target_link_libraries(pliant_web PRIVATE pliant_settings pliant_static m)
target_compile_options(pliant_web PRIVATE -Os)
# A reactor has no main: JavaScript calls _initialize once, then the exports. Debug sections go, the features stay.
target_link_options(pliant_web PRIVATE -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-debug)
# The names of functions are of no use without debug sections.
add_custom_command(TARGET pliant_web POST_BUILD
  COMMAND ${CMAKE_OBJCOPY} --remove-section=name --remove-section=producers $<TARGET_FILE:pliant_web>)
