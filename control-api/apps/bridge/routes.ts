import { FILE_LIMITS } from "@parley/platform/methods/limits.ts";
import { REQUEST_QUERY, streamMessageSchema } from "@parley/platform/wire/messages.ts";
import { appParamsSchema } from "@parley/shared/contracts/apps.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { APPS_READ } from "../../http/access/rules.ts";
import { type Api, responses, USER_SECURITY } from "../../http/routes.ts";
import { answered, arrived, idIn } from "./arrived-call.ts";
import type { Bridge } from "./bridge.ts";
import { RawBytes } from "./handlers.ts";
import { type PageStreamRouteDeps, pageStreamRoutes } from "./page-stream-routes.ts";
import type { BridgeStreams } from "./streams.ts";

const BRIDGE = "/api/orgs/:orgId/apps/:appId/bridge";
/** The largest arguments of a method, plus their envelope. */
const CALL_BYTES = 1_200_000;
const OCTETS = "application/octet-stream";
const common = { tags: ["apps"], security: USER_SECURITY, params: appParamsSchema };

interface BridgeRouteDeps extends PageStreamRouteDeps {
  readonly bridge: Bridge;
  readonly streams: BridgeStreams;
}

/** `/api/orgs/{orgId}/apps/{appId}/bridge`: calls from a frame's host; a refused call is a regular answer. */
export async function bridgeRoutes(app: Api, deps: BridgeRouteDeps): Promise<void> {
  app.addHook("preClose", async () => {
    await Promise.all([deps.streams.stop(), deps.pageStreams.stop()]);
  });
  callRoute(app, deps);
  streamRoute(app, deps);
  pageStreamRoutes(app, deps);
  await bytesRoute(app, deps);
}

function callRoute(app: Api, { bridge }: BridgeRouteDeps): void {
  app.post(
    BRIDGE,
    {
      config: { access: APPS_READ },
      bodyLimit: CALL_BYTES,
      schema: {
        ...common,
        summary: "Bring a call of a frame: one request, and its result or error",
        response: responses(200, streamMessageSchema),
      },
    },
    async (request, reply) => {
      const id = idIn(request.body);
      return reply.send(await answered(id, () => bridge.call(arrived(request, reply, request.body))));
    },
  );
}

function streamRoute(app: Api, { streams }: BridgeRouteDeps): void {
  app.post(
    `${BRIDGE}/stream`,
    {
      config: { access: APPS_READ },
      bodyLimit: CALL_BYTES,
      schema: {
        ...common,
        summary: "Bring a call that streams: server-sent events, each with a message of the bridge",
        produces: ["text/event-stream"],
      },
    },
    async (request, reply) =>
      streams.open(idIn(request.body), arrived(request, reply, request.body), {
        reply,
        recheckAccess: async () => request.recheckAccess?.(),
      }),
  );
}

async function bytesRoute(app: Api, { bridge }: BridgeRouteDeps): Promise<void> {
  await app.register((scope: Api, _options, done) => {
    const options = { parseAs: "buffer", bodyLimit: FILE_LIMITS.fileBytes } as const;
    scope.addContentTypeParser(OCTETS, options, (_, body, next) => next(null, body));
    scope.post(
      `${BRIDGE}/bytes`,
      {
        config: { access: APPS_READ },
        bodyLimit: FILE_LIMITS.fileBytes,
        schema: {
          ...common,
          summary:
            "Bring a call with raw bytes: the request in the query, bytes as the body or as the answer",
          consumes: [OCTETS],
          produces: [OCTETS],
        },
      },
      async (request, reply) => {
        const body = requestInQuery(request);
        const id = idIn(body);
        const bytes: unknown = request.body;
        const message = await answered(id, () =>
          bridge.call({
            ...arrived(request, reply, body),
            bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0),
          }),
        );
        if (message.kind !== "result" || !(message.result instanceof RawBytes)) return reply.send(message);
        return reply
          .type(OCTETS)
          .header("content-disposition", "attachment")
          .header("cache-control", "no-store")
          .send(message.result.bytes);
      },
    );
    done();
  });
}

function requestInQuery(request: FastifyRequest): unknown {
  const text = (request.query as Record<string, unknown>)[REQUEST_QUERY];
  try {
    return JSON.parse(typeof text === "string" ? text : "");
  } catch {
    throw new AppError("bad_request", `The query ${REQUEST_QUERY} is not the JSON of a call.`);
  }
}
