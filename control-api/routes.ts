import type { IncomingMessage, ServerResponse } from "node:http";
import { errorBodySchema } from "@parley/shared/contracts/envelope.ts";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { z } from "zod";

/** The app as capabilities see it: schemas of zod type request and answer. */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The answers of a route, with the errors every route may give. */
export function responses<T extends z.ZodType>(status: 200 | 201, schema: T) {
  return { [status]: schema, "4xx": errorBodySchema, "5xx": errorBodySchema };
}

/** How a route with a key is marked in the OpenAPI document. */
export const KEY_SECURITY = [{ apiKey: [] }];
