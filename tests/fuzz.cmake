# tests/fuzz/fuzz_*.c: libFuzzer programs, built with clang and the sanitizers of the preset. That of the window's scripts is built where the command is:
# cmake --preset fuzz -DPLIANT_CLI=ON -DPLIANT_RENDER=ON. The tests replay its inputs.
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
set(fuzz_study_parts cli/sweep/study.c cli/frame/folders.c cli/frame/strings.c support/text_buffer.c support/publish.c) # Of the command, which is not built here.
set(fuzz_png_parts io/files/png.c io/files/io_error.c)
set(fuzz_view_libraries pliant_view_parts)
foreach(source ${fuzz_sources})
  get_filename_component(stem ${source} NAME_WE)
  if(stem STREQUAL fuzz_view AND NOT TARGET pliant_view_parts)
    continue()
  endif()
  add_executable(${stem} ${source} ${${stem}_parts})
  target_compile_options(${stem} PRIVATE -fsanitize=fuzzer)
  target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
  target_include_directories(${stem} PRIVATE . src io cli)
  target_link_libraries(${stem} PRIVATE pliant_settings pliant_static pliant_scene pliant_jansson)
  target_link_libraries(${stem} PRIVATE ${${stem}_libraries} stdc++)
endforeach()
