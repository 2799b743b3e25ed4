import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import fastify from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Resolvers } from "./access/resolve-principal.ts";
import { accessPlugin } from "./plugins/access.ts";
import { closingPlugin } from "./plugins/closing.ts";
import { errorsPlugin, refuseBroken, refuseUnreadable } from "./plugins/errors.ts";
import { inputPlugin } from "./plugins/input.ts";
import { lingeringPlugin } from "./plugins/lingering.ts";
import { observabilityPlugin } from "./plugins/observability.ts";
import { openapiPlugin } from "./plugins/openapi/openapi.ts";
import { validatorCompiler } from "./plugins/validation.ts";
import type { Api } from "./routes.ts";

const BODY_LIMIT_BYTES = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerDeps {
  readonly config: Pick<Config, "http">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The address people reach this API by. */
  readonly baseUrl: () => string;
  /** Resolve the credentials of requests. */
  readonly resolvers: Resolvers;
}

/** Creates the server without routes: one line per cross-cutting concern. */
export async function createServer({
  config,
  clock,
  log,
  metrics,
  baseUrl,
  resolvers,
}: ServerDeps): Promise<Api> {
  const app: Api = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    frameworkErrors: refuseUnreadable,
    clientErrorHandler: refuseBroken,
    genReqId: () => newId("req"),
    trustProxy: [...(config.http.trustProxy ?? [])],
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(errorsPlugin, { log });
  await app.register(closingPlugin);
  await app.register(lingeringPlugin, { clock });
  await app.register(inputPlugin);
  await app.register(observabilityPlugin, { metrics });
  await app.register(accessPlugin, { ...resolvers, publicPrefixes: ["/docs", "/assets/"] });
  await app.register(openapiPlugin, { baseUrl });
  return app;
}
