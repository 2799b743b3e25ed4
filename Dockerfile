# One image for both processes; the command says which: gateway/main.ts or control-api/main.ts.

FROM node:22-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY media/package.json media/
COPY gateway/package.json gateway/
COPY control-api/package.json control-api/
COPY dashboard/package.json dashboard/
COPY platform/package.json platform/
COPY platform/sdk/package.json platform/sdk/
COPY loadtest/package.json loadtest/
COPY testkit/package.json testkit/

FROM manifests AS dashboard
RUN npm ci
COPY tsconfig.json ./
COPY scripts/build-dashboard.ts scripts/dashboard-sources.ts scripts/
COPY shared shared
COPY platform platform
COPY dashboard dashboard
RUN npm run build

FROM manifests AS dependencies
# The ONNX runtime brings its binaries for every system; the image is Linux.
RUN npm ci --omit=dev \
  && rm -rf node_modules/onnxruntime-node/bin/*/win32 node_modules/onnxruntime-node/bin/*/darwin

FROM node:22-slim
# Names are looked up on these threads: a name server that never answers must not take them all.
ENV NODE_ENV=production DATA_DIR=/data UV_THREADPOOL_SIZE=32
WORKDIR /app
COPY --from=dependencies /app ./
COPY shared shared
COPY media media
COPY gateway gateway
COPY control-api control-api
COPY platform platform
COPY scripts/rotate-signing-key.ts scripts/reseal.ts scripts/
COPY --from=dashboard /app/dashboard/dist dashboard/dist
# A new volume takes over the owner of the folder it is mounted on.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080 8090
CMD ["node", "--max-semi-space-size=32", "--initial-old-space-size=256", "gateway/main.ts"]
