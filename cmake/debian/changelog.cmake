# Writes OUTPUT, the compressed changelog of the package: that of this VERSION, now or at SOURCE_DATE_EPOCH.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${OUTPUT}.txt "okbench (${VERSION}) unstable; urgency=medium\n\n  * Release ${VERSION}.\n\n -- ${MAINTAINER}  ${date}\n")
execute_process(COMMAND gzip -9n INPUT_FILE ${OUTPUT}.txt OUTPUT_FILE ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
