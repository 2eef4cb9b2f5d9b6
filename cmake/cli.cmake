# The command `pliant`. A program of commands prints its own manual and the completions of shells.
function(pliant_program target name component)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN") # See install.cmake.
  if(CMAKE_CROSSCOMPILING OR PLIANT_SANITIZE)
    return()
  endif()
  set(share ${PROJECT_BINARY_DIR}/share)
  file(MAKE_DIRECTORY ${share})
  add_custom_command(OUTPUT ${share}/${name}.1 ${share}/${name}.bash ${share}/_${name} ${share}/${name}.fish
    COMMAND ${target} manual > ${share}/${name}.1
    COMMAND ${target} completion bash > ${share}/${name}.bash
    COMMAND ${target} completion zsh > ${share}/_${name}
    COMMAND ${target} completion fish > ${share}/${name}.fish
    DEPENDS ${target} VERBATIM)
  add_custom_target(${target}_share ALL DEPENDS ${share}/${name}.1)
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
  install(FILES ${share}/${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
  install(FILES ${share}/${name}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${name} COMPONENT ${component})
  install(FILES ${share}/_${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT ${component})
  install(FILES ${share}/${name}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT ${component})
endfunction()

# All sources but main.c are a library, so that tests, the window and the lab link them.
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS cli/*.c)
list(REMOVE_ITEM cli_sources ${PROJECT_SOURCE_DIR}/cli/main.c)
add_library(pliant_cli_parts STATIC ${cli_sources})
target_include_directories(pliant_cli_parts PUBLIC cli)
target_link_libraries(pliant_cli_parts PRIVATE pliant_settings)
target_link_libraries(pliant_cli_parts PUBLIC pliant_support pliant_scene pliant_render pliant_jansson m)
add_executable(pliant_cli cli/main.c)
target_link_libraries(pliant_cli PRIVATE pliant_settings pliant_cli_parts)
pliant_program(pliant_cli pliant command)
add_custom_target(command DEPENDS pliant_cli) # With the libraries that it loads.
foreach(library pliant_ode pliant_video ${format_libraries})
  if(TARGET ${library})
    add_dependencies(command ${library})
  endif()
endforeach()
