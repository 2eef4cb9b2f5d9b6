# The command `pliant`, and what it writes about itself: the manual and the shells' completions.
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS cli/*.c)
if(cli_sources)
  # All but the program's beginning, so that tests link it too.
  set(cli_main ${PROJECT_SOURCE_DIR}/cli/main.c)
  list(REMOVE_ITEM cli_sources ${cli_main})
  add_library(pliant_cli_parts STATIC ${cli_sources})
  target_include_directories(pliant_cli_parts PUBLIC cli)
  target_link_libraries(pliant_cli_parts PRIVATE pliant_settings pliant_support)
  target_link_libraries(pliant_cli_parts PUBLIC pliant_experiments pliant_bench pliant_scene pliant_render pliant_jansson m)
  pkg_check_modules(SQLITE QUIET IMPORTED_TARGET sqlite3)
  if(SQLITE_FOUND)
    target_link_libraries(pliant_cli_parts PRIVATE PkgConfig::SQLITE)
    target_compile_definitions(pliant_cli_parts PRIVATE PLIANT_SQLITE)
  endif()
  add_executable(pliant_cli ${cli_main})
  target_link_libraries(pliant_cli PRIVATE pliant_settings pliant_cli_parts)
  set_target_properties(pliant_cli PROPERTIES OUTPUT_NAME pliant
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN") # See install.cmake.

  if(NOT CMAKE_CROSSCOMPILING AND NOT PLIANT_SANITIZE)
    set(share ${PROJECT_BINARY_DIR}/share)
    file(MAKE_DIRECTORY ${share})
    add_custom_command(OUTPUT ${share}/pliant.1 ${share}/pliant.bash ${share}/_pliant ${share}/pliant.fish
      COMMAND pliant_cli manual > ${share}/pliant.1
      COMMAND pliant_cli completion bash > ${share}/pliant.bash
      COMMAND pliant_cli completion zsh > ${share}/_pliant
      COMMAND pliant_cli completion fish > ${share}/pliant.fish
      DEPENDS pliant_cli VERBATIM)
    add_custom_target(pliant_share ALL DEPENDS ${share}/pliant.1)
    install(FILES ${share}/pliant.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
    install(FILES ${share}/pliant.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
      RENAME pliant COMPONENT command)
    install(FILES ${share}/_pliant DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT command)
    install(FILES ${share}/pliant.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
  endif()
endif()
