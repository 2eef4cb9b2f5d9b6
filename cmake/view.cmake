# The window, pliant-view: GLFW and Dear ImGui over the command's parts. Without these packages it is not built.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GLFW IMPORTED_TARGET glfw3)
pkg_check_modules(IMGUI IMPORTED_TARGET imgui)
if(GLFW_FOUND AND IMGUI_FOUND AND TARGET pliant_cli_parts)
  enable_language(CXX)
  file(GLOB view_sources CONFIGURE_DEPENDS view/*.c view/*.cpp view/*/*.c view/*/*.cpp)
  add_executable(pliant_view ${view_sources})
  set_target_properties(pliant_view PROPERTIES OUTPUT_NAME pliant-view CXX_STANDARD 17
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  target_include_directories(pliant_view PRIVATE view /usr/include/imgui/backends)
  target_link_libraries(pliant_view PRIVATE pliant_cli_parts pliant_support PkgConfig::EPOXY PkgConfig::PNG PkgConfig::GLFW PkgConfig::IMGUI)
  install(TARGETS pliant_view RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
