# Rigid bodies by the Open Dynamics Engine. Left out where ODE is not installed.
find_package(PkgConfig REQUIRED)
pkg_check_modules(ODE IMPORTED_TARGET ode)
file(GLOB_RECURSE ode_sources CONFIGURE_DEPENDS ode/*.c)
if(ODE_FOUND AND ode_sources)
  add_library(pliant_ode SHARED ${ode_sources})
  target_include_directories(pliant_ode PRIVATE ode)
  target_link_libraries(pliant_ode PUBLIC pliant_shared
    PRIVATE pliant_settings PkgConfig::ODE m ${threads})
  target_compile_definitions(pliant_ode PRIVATE PLI_SHARED PLI_BUILDING)
  set_target_properties(pliant_ode PROPERTIES EXPORT_NAME ode VERSION ${PROJECT_VERSION} SOVERSION 0
    C_VISIBILITY_PRESET hidden)
  add_library(pliant::ode ALIAS pliant_ode)
elseif(NOT ODE_FOUND)
  message(STATUS "Without rigid bodies: ODE (Debian: libode-dev) was not found")
endif()
