# Writes a digest of the text of HEADERS (paths below FOLDER, separated by commas) into the header OUTPUT. Touches it only
# if it changes.
string(REPLACE "," ";" HEADERS "${HEADERS}")
list(SORT HEADERS)
set(all "")
foreach(header ${HEADERS})
  file(SHA256 ${FOLDER}/${header} one)
  string(APPEND all "${header} ${one}\n")
endforeach()
string(SHA256 DIGEST "${all}")
set(content "#pragma once\n// Generated: the digest of the headers that learners are compiled with.\n#define OKBENCH_INTERFACE_DIGEST \"${DIGEST}\"\n")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${content}" @ONLY)
