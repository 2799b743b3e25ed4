import { PassThrough } from "node:stream";
import { type Batch, batchSchema } from "@parley/shared/contracts/batch.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { FastifyRequest } from "fastify";
import { SIGNED_IN } from "../access/rules.ts";
import { goneSignal } from "../gone-signal.ts";
import { type Api, USER_SECURITY } from "../routes.ts";
import { answerRead } from "./answer-read.ts";

/**
 * `/api/batch`: a page's reads in one request. Each answer is sent as soon as it is there, so that a slow one does not
 * hold the others up.
 */
export function batchRoutes(app: Api, { log }: { readonly log: Logger }): void {
  app.post(
    "/api/batch",
    {
      config: { access: SIGNED_IN },
      schema: {
        tags: ["batches"],
        security: USER_SECURITY,
        summary:
          "Read several things at once: a line of JSON for each, { at, status, body }, as they are done",
        body: batchSchema,
        produces: ["application/x-ndjson"],
      },
    },
    async (request, reply) => {
      const signal = goneSignal(reply);
      const lines = new PassThrough();
      void answerAll(app, request.body, { request, signal, lines }).then(
        () => lines.end(),
        (error: unknown) => {
          // Whoever has gone reads no end.
          if (signal.aborted) return lines.end();
          log.warn({ event: "batch_broken", err: messageOf(error) }, "failed to answer a batch of reads");
          return lines.destroy();
        },
      );
      return reply
        .type("application/x-ndjson; charset=utf-8")
        .header("cache-control", "no-store")
        .header("x-accel-buffering", "no")
        .send(lines);
    },
  );
}

interface Answering {
  readonly request: FastifyRequest;
  readonly signal: AbortSignal;
  readonly lines: PassThrough;
}

async function answerAll(app: Api, { reads }: Batch, { lines, ...asked }: Answering): Promise<void> {
  await Promise.all(
    reads.map(async (read, at) => {
      const { status, json } = await answerRead(app, read, asked);
      lines.write(`{"at":${at},"status":${status},"body":${json}}\n`);
    }),
  );
}
