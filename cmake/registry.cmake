# Generates registry.cpp from `template`, in the folder of the template. ARGN: namespaces whose
# Describe() returns an entry of type `type`.
function(okbench_registry template type)
  set(OKBENCH_DECLARATIONS "")
  set(OKBENCH_CALLS "")
  foreach(name IN LISTS ARGN)
    string(APPEND OKBENCH_DECLARATIONS "namespace ${name} {\n${type} Describe();\n}\n")
    list(APPEND OKBENCH_CALLS "Described(\"${name}\", ${name}::Describe)")
  endforeach()
  list(JOIN OKBENCH_CALLS ", " OKBENCH_CALLS)
  cmake_path(GET template PARENT_PATH folder)
  configure_file(${template} ${CMAKE_CURRENT_BINARY_DIR}/${folder}/registry.cpp @ONLY)
endfunction()
