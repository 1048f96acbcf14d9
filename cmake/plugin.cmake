# okbench_add_plugin(NAME SOURCE...): builds a learner as a shared library, libNAME.so, for `okbench --plugin`. One source
# must contain the line OKBENCH_PLUGIN(...) of learners/api/plugin.h. Available in the build of okbench, and after
# find_package(okbench). The target is okbench_plugin_NAME.
function(okbench_add_plugin name)
  set(target okbench_plugin_${name})
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} PREFIX lib UNITY_BUILD OFF)
  target_link_libraries(${target} PRIVATE okbench::plugin)
  # The file's digest is part of trial ids, so equal sources must give equal files in any folder.
  include(CheckLinkerFlag)
  check_linker_flag(CXX LINKER:--build-id=none OKBENCH_LINKER_HAS_BUILD_ID)
  if(OKBENCH_LINKER_HAS_BUILD_ID)
    target_link_options(${target} PRIVATE LINKER:--build-id=none)
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source PARENT_PATH folder)
    target_compile_options(${target} PRIVATE -ffile-prefix-map=${folder}=.)
  endforeach()
endfunction()
