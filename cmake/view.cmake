# The window, pliant-view: GLFW and Dear ImGui over the command's parts. Without these packages it is not built.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GLFW IMPORTED_TARGET glfw3)
pkg_check_modules(IMGUI IMPORTED_TARGET imgui)
if(GLFW_FOUND AND IMGUI_FOUND AND TARGET pliant_cli_parts)
  enable_language(CXX)
  # What hands and scripts reach, which fuzz_view runs without a display.
  file(GLOB view_parts CONFIGURE_DEPENDS view/*.c view/*/*.c)
  list(FILTER view_parts EXCLUDE REGEX "/view/(main|files/thumbnail)\\.c$")
  add_library(pliant_view_parts OBJECT ${view_parts})
  target_include_directories(pliant_view_parts PUBLIC view)
  target_link_libraries(pliant_view_parts PUBLIC pliant_cli_parts pliant_session pliant_support PkgConfig::EPOXY PkgConfig::GLFW)

  file(GLOB view_sources CONFIGURE_DEPENDS view/*.cpp view/*/*.cpp)
  add_executable(pliant_view view/main.c view/files/thumbnail.c ${view_sources})
  set_target_properties(pliant_view PROPERTIES OUTPUT_NAME pliant-view CXX_STANDARD 17
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN") # See install.cmake.
  target_include_directories(pliant_view PRIVATE /usr/include/imgui/backends)
  target_link_libraries(pliant_view PRIVATE pliant_view_parts PkgConfig::PNG PkgConfig::IMGUI)
  if(PLIANT_SANITIZE) # Its tests run in the optimised build only; who looks for a mistake in it names the target.
    set_target_properties(pliant_view PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  install(TARGETS pliant_view RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
