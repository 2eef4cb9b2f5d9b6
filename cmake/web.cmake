# The library for JavaScript as .wasm files, whose exports are those of web/wasm, over the public headers: the core, and the
# core with scenes and mesh files. scripts/build-web makes the npm package of them.
# clang 14 fails where errno is used with instructions that copy memory.
set(web_size ${core_size})
list(REMOVE_ITEM web_size -mbulk-memory)

function(pliant_web_module name)
  add_executable(pliant_${name} ${ARGN})
  set_target_properties(pliant_${name} PROPERTIES OUTPUT_NAME ${name} SUFFIX .wasm)
  target_link_libraries(pliant_${name} PRIVATE pliant_settings pliant_static m)
  target_compile_options(pliant_${name} PRIVATE ${web_size})
  # A reactor has no main: JavaScript calls _initialize once, then the exports. Debug sections go, the features stay.
  target_link_options(pliant_${name} PRIVATE -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-debug)
  # Names of functions are of no use without them.
  add_custom_command(TARGET pliant_${name} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} --remove-section=name --remove-section=producers $<TARGET_FILE:pliant_${name}>)
endfunction()

file(GLOB web_sources CONFIGURE_DEPENDS web/wasm/*.c)
file(GLOB web_scene_sources CONFIGURE_DEPENDS web/wasm/scene/*.c)
pliant_web_module(web_core ${web_sources})
if(TARGET pliant_scene)
  pliant_web_module(web_scenes ${web_sources} ${web_scene_sources})
  target_link_libraries(pliant_web_scenes PRIVATE pliant_scene)
  target_compile_options(pliant_scene PRIVATE ${web_size})
endif()
