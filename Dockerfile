# One image for every process of the service: the API (the default), the projector (`dist/bin/projector.js`) and the
# operator's command (`dist/bin/operator.js …`). See docs/production/install.md.
#
# The base is pinned by version. For builds that are identical to the byte, pin its digest too: look it up once with
# `docker buildx imagetools inspect node:24.21.0-bookworm-slim` and build with
# `--build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…`.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG FORMER_IMAGE=${NODE_IMAGE}

# The image of the release before, whose pages candidates have open: their files stay served. Without one there are none:
# `--build-arg FORMER_IMAGE=<the image that is in production>`.
FROM ${FORMER_IMAGE} AS former

# The packages as the lock file pins them, and the build. Their scripts never run (.npmrc), because native parts are
# separate packages for each platform.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev
COPY tsconfig.json ./
COPY scripts/bundle.mjs scripts/bundle-image.mjs scripts/bundle-spreads.mjs scripts/bundle-web.mjs ./scripts/
COPY src ./src
COPY projections ./projections
COPY packages ./packages
COPY tools ./tools
COPY web ./web
RUN --mount=type=bind,from=former,target=/former \
    mkdir -p dist && if [ -d /former/app/dist/web ]; then cp -r /former/app/dist/web dist/web; fi
RUN node node_modules/typescript-7/bin/tsc -p . && node scripts/bundle.mjs && node scripts/bundle-web.mjs

FROM ${NODE_IMAGE}
# Safe by default: in production a start stops if a key, an identity provider or encryption is missing.
# 0.0.0.0 because a container's loopback cannot be reached from outside. Restrict access where you run the container.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
WORKDIR /app
# The user owns only /data, the folder of the embedded stores. With servers and both keys set it stays empty.
RUN install --directory --owner=1000 --group=1000 --mode=700 /data
VOLUME /data
COPY LICENSE package.json ./
# What the programs load of packages: all others are in the bundle.
COPY --from=build /app/dist/image/node_modules ./node_modules
COPY --from=build /app/dist/bin ./dist/bin
COPY --from=build /app/dist/web ./dist/web
# The command `assay …` in a running container: `docker exec <container> assay health`.
RUN printf '#!/bin/sh\nexec node --enable-source-maps /app/dist/bin/operator.js "$@"\n' > /usr/local/bin/assay && chmod 755 /usr/local/bin/assay
# By number, so that an orchestrator can check that the user is not root.
USER 1000:1000
EXPOSE 3000
# Checks the process, not its servers: a restart does not help if a server is unavailable. Uses HEALTH_PORT if it is set,
# else PORT. A projector answers only on HEALTH_PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT || process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The process ends within 10 s of SIGTERM. As process 1 it handles its signals, but reaps no orphans. If it runs
# commands, add an init (`docker run --init`, `init: true`).
STOPSIGNAL SIGTERM
# One helper thread for V8: with four, garbage collection takes both cores of a small machine (docs/performance.md).
ENTRYPOINT ["node", "--enable-source-maps", "--v8-pool-size=1"]
CMD ["dist/bin/main.js"]

ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Assay" \
      org.opencontainers.image.description="An event-sourced hiring-assessment service" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
