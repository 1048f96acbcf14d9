# okbench on Debian 13, as its Debian package. Build: docker build -t okbench .
#   docker run --rm -v "$PWD:/work" okbench league mine.csv --label kind
FROM debian:13 AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make
COPY . /src
WORKDIR /src
RUN make package

FROM debian:13
COPY --from=build /src/build/packages /tmp/packages
RUN apt-get update && apt-get install -y /tmp/packages/*.deb && rm -r /tmp/packages /var/lib/apt/lists/*
RUN useradd --create-home okbench
USER okbench
WORKDIR /work
ENTRYPOINT ["okbench"]
