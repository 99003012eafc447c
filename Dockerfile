# fxconform in a container: no root, any user id, a read-only root file system.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-fund --no-audit
COPY . .
RUN node tools/build.mjs --clean && npm prune --omit=dev --ignore-scripts --no-fund --no-audit

FROM node:24.21.0-bookworm-slim
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
# Reports go here: mount a folder that the user may write to.
WORKDIR /reports
USER 65532:65532
ENTRYPOINT ["node", "/app/dist/cli/bin.js"]
CMD ["--help"]
