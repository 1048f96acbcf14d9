# okbench_add_plugin(NAME SOURCE...): a learner as a shared library, libNAME.so, that `okbench --plugin` loads. One of the
# sources has the line OKBENCH_PLUGIN(...) of learners/api/plugin.h. In the build of okbench, and after
# find_package(okbench). The target is okbench_plugin_NAME.
function(okbench_add_plugin name)
  set(target okbench_plugin_${name})
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} PREFIX lib UNITY_BUILD OFF)
  target_link_libraries(${target} PRIVATE okbench::plugin)
  # Its digest is part of trials' ids: the same sources make the same file wherever they lie.
  target_link_options(${target} PRIVATE LINKER:--build-id=none)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source PARENT_PATH folder)
    target_compile_options(${target} PRIVATE -ffile-prefix-map=${folder}=.)
  endforeach()
endfunction()
