import { text } from "node:stream/consumers";
import type { Batch } from "@parley/shared/contracts/batch.ts";
import type { FastifyRequest } from "fastify";
import type { Api } from "../routes.ts";

type Read = Batch["reads"][number];

/** Headers of the batch that hold for each of its reads: who asks, and from where. */
const PASSED_ON = ["authorization", "user-agent", "host", "x-forwarded-for", "x-forwarded-proto"] as const;

/**
 * Answers one read as its route would by itself: with that route's access rule, limits, metrics and log lines. Gives
 * its status and its body as JSON.
 */
export async function answerRead(
  app: Api,
  { path, orgId }: Read,
  { request, signal }: { readonly request: FastifyRequest; readonly signal: AbortSignal },
): Promise<{ readonly status: number; readonly json: string }> {
  const { pathname, search } = new URL(path, "http://api.invalid");
  // Resolved like a browser's: `/api/../metrics` is none of the API's addresses.
  if (!pathname.startsWith("/api/")) return refusal(404, "not_found", `There is no ${pathname} in the API.`);
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { remoteAddress } = request.raw.socket;
  const answer = await app.inject({
    method: "GET",
    url: pathname + search,
    headers: { ...Object.fromEntries(passedOn), ...(orgId === undefined ? {} : { "x-org-id": orgId }) },
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
    payloadAsStream: true,
    signal,
  });
  if (!String(answer.headers["content-type"]).startsWith("application/json")) {
    // A stream would never end, and a file is no line of JSON.
    answer.raw.res.destroy();
    return refusal(400, "bad_request", `Ask for ${pathname} by itself: it does not answer with JSON.`);
  }
  return { status: answer.statusCode, json: await text(answer.stream()) };
}

function refusal(status: number, code: string, error: string): { status: number; json: string } {
  return { status, json: JSON.stringify({ success: false, error, code }) };
}
