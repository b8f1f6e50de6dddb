# docker build -t kifu .
# docker run --rm -v "$PWD:/games" kifu label . -o labels.csv

FROM rust:1.95-slim-trixie AS builder
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY src ./src
COPY data/profiles.toml ./data/profiles.toml
RUN cargo install --locked --path . --root /out && strip /out/bin/kifu

FROM debian:trixie-slim
RUN useradd --uid 1000 kifu && install -d -o kifu /games
COPY --from=builder /out/bin/kifu /usr/local/bin/kifu
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/kifu/
USER 1000
WORKDIR /games
ENTRYPOINT ["kifu"]
CMD ["--help"]
