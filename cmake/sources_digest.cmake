# Writes NAME = a digest of SOURCES (file names, separated by commas) into OUTPUT, a header; touches it only when it changed.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(all "")
foreach(source ${SOURCES})
  file(SHA256 ${source} one)
  string(APPEND all ${one})
endforeach()
string(SHA256 DIGEST "${all}")
set(content
    "#pragma once\n// Generated: the digest of the sources that make rows of files.\nnamespace okbench {\ninline constexpr char ${NAME}[] = \"${DIGEST}\";\n}  // namespace okbench\n"
)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${content}" @ONLY)
