# syntax=docker/dockerfile:1

# --- Build: dashboard and compiled service. Nothing of npm reaches the final stage except YARA-X.
# By tag, here and below: we could not read the digest. To pin it, append @sha256:… of `docker buildx imagetools inspect node:24.21.0-trixie-slim`.
FROM node:24.21.0-trixie-slim AS build
WORKDIR /docvet
COPY package.json package-lock.json ./
# Without install scripts: the package `node` would fetch a second Node.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The last command fills the cache of V8, which a read-only container could not write.
RUN find server inspect cli packages -name '*.test.ts' -delete \
  && rm -rf inspect/testing \
  && node scripts/build-web.ts \
  && node scripts/compile.ts \
  && node server/main.ts --version

# --- Service.
FROM node:24.21.0-trixie-slim
# bubblewrap isolates the workers that parse documents, or Perl, which Debian always has, starts them under Landlock; tini collects processes that they leave behind.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap tini \
  && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
  && useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin docvet \
  && install --directory --owner=docvet --group=docvet --mode=0700 /data
WORKDIR /docvet
COPY --from=build /docvet/package.json /docvet/package-lock.json /docvet/LICENSE ./
COPY --from=build /docvet/server ./server
COPY --from=build /docvet/inspect ./inspect
COPY --from=build /docvet/cli ./cli
COPY --from=build /docvet/packages/client/src ./packages/client/src
COPY --from=build /docvet/web/dist ./web/dist
# Part of the sources by which the service finds its compiled programs.
COPY --from=build /docvet/web/src/paths.ts ./web/src/paths.ts
# The colours of the API reference.
COPY --from=build /docvet/web/src/styles/tokens.css ./web/src/styles/tokens.css
COPY --from=build /docvet/scripts/bundle.ts ./scripts/bundle.ts
COPY --from=build /docvet/scripts/compile.ts ./scripts/compile.ts
COPY --from=build /docvet/node_modules/.cache/docvet ./node_modules/.cache/docvet
COPY --from=build /docvet/node_modules/@virustotal/yara-x ./node_modules/@virustotal/yara-x
# MALLOC: all threads but the main one share an arena, and large blocks go back to the system when they are freed. Otherwise
# every thread keeps the most memory it ever used, such as that of password hashes.
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2 \
  MALLOC_MMAP_THRESHOLD_=1048576 \
  MALLOC_TRIM_THRESHOLD_=8388608 \
  DOCVET_HOST=0.0.0.0 \
  DOCVET_DATA_DIR=/data
USER 10001
VOLUME /data
EXPOSE 8080
# For DOCVET_CLAMD_LISTEN and DOCVET_ICAP_LISTEN, if they are set.
EXPOSE 3310 1344
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.DOCVET_PORT || 8080) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=4", "server/main.ts"]
