# Tests of a build for another processor, run by the toolchain file's emulator: that every operation and every
# state is the same there. They are the native tests, or one of each where emulation is slow; cmocka is replaced.
if(EMSCRIPTEN) # What Debian's emcc writes takes the fetch of newer nodes for a browser's.
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR --no-experimental-fetch)
endif()
function(pliant_cross_test kind stem only)
  set(program ${kind}_${stem})
  add_executable(${program} tests/${kind}/${stem}.c tests/inside.c)
  target_include_directories(${program} PRIVATE tests/cross tests/${kind} src)
  target_link_libraries(${program} PRIVATE pliant_settings pliant_static m)
  add_test(NAME ${kind}/${stem} COMMAND ${program})
  set_tests_properties(${kind}/${stem} PROPERTIES LABELS ${kind} TIMEOUT 300 ENVIRONMENT "${only}")
endfunction()

if(PLIANT_WASM)
  set(hashes hashes_are_pinned)
else()
  set(hashes first_hashes_are_pinned)
endif()
pliant_cross_test(unit test_wide "")
pliant_cross_test(unit test_shape_contact "")
pliant_cross_test(unit test_contact_batches "")
pliant_cross_test(unit test_rigid_motion "")
pliant_cross_test(determinism test_hash CROSS_TEST=${hashes})
# Scenes from memory, where there is a JSON library for the target.
if(TARGET pliant_scene)
  pliant_cross_test(scene test_scene_sources "")
  target_link_libraries(scene_test_scene_sources PRIVATE pliant_scene)
  add_executable(scene_hashes tests/determinism/scene_hashes.c) # For lab/tools/determinism-matrix.
  target_link_libraries(scene_hashes PRIVATE pliant_settings pliant_scene)
endif()
pliant_cross_test(properties test_schedule CROSS_TEST=each_kernel_is_the_same_in_every_width)
include(tests/wide_probes.cmake)
