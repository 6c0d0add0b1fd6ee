# Weir for the calls of other containers, without a window: docker build -t weir .
FROM node:26-trixie-slim AS build
WORKDIR /source
COPY . .
RUN npm install --no-audit --no-fund \
 && npm run package -- --only npm \
 && mv dist/weir-proxy-*.tgz /weir-proxy.tgz

FROM node:26-trixie-slim
COPY --from=build /weir-proxy.tgz /tmp/
# The image's own Node is new enough, so the package's is left out.
RUN npm install --prefix /opt/weir --omit=optional --no-audit --no-fund /tmp/weir-proxy.tgz \
 && rm /tmp/weir-proxy.tgz \
 && ln -s /opt/weir/node_modules/.bin/weir /usr/local/bin/weir \
 && install -d -o node -g node -m 700 /data
# Recordings and the root certificate with its key are in /data/weir: no other container needs this volume.
ENV XDG_DATA_HOME=/data
VOLUME /data
USER node
EXPOSE 8686
HEALTHCHECK --interval=2s --start-period=20s \
  CMD node -e "require('net').connect(8686).on('error', () => process.exit(1)).on('connect', () => process.exit(0))"
ENTRYPOINT ["weir"]
# Everybody who reaches the port can send requests. Add --allow-private-targets where these are for other containers.
CMD ["start", "--no-open", "--port", "8686", "--listen", "0.0.0.0"]
