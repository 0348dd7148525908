# The server with the client inside. Build: docker build -t picket .
FROM node:22-bookworm-slim AS client
WORKDIR /picket/web-client
COPY web-client/package.json web-client/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web-client ./
RUN npm run build

FROM rust:1.95-bookworm AS server
WORKDIR /picket
COPY . .
COPY --from=client /picket/web-client/dist web-client/dist
RUN cargo build --release --locked --package server

FROM debian:bookworm-slim
RUN useradd --system --create-home picket && install -d -o picket /data
COPY --from=server /picket/target/release/picket /usr/local/bin/picket
USER picket
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["picket", "serve", "--listen", "0.0.0.0:8080", "--data", "/data"]
