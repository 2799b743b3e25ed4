import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";
import { type BrainPart, createBrainClient } from "@parley/shared/brain/client.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { plannedBrainSchema } from "@parley/shared/contracts/brain-plan.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import { NO_TOOLS } from "./model-brain.ts";

export const metrics = createMetrics();
const dispatcher = createGuardedDispatcher({
  allowPrivateTargets: ["127.0.0.0/8"],
  connectTimeoutMs: 500,
  connectionsPerHost: 8,
  keepAliveMs: 5_000,
  resolve: createSystemResolver({ clock: systemClock }),
});
const log = createLogger({ level: "silent", format: "json", name: "test" });
const dispatchers = { of: () => dispatcher };
const models = { baseUrl: "http://127.0.0.1:9/v1", dispatchers };
export const newClient = () =>
  createBrainClient({ dispatchers, models, controlApiTools: NO_TOOLS, clock: systemClock, log, metrics });

/** Serves a brain with node:http; returns its URL. */
export async function serve(handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/turn?key=1`;
}

/** Events as models stream them: each with a name next to its data. */
export function model(...events: { readonly type: string; readonly [field: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** A brain that answers with exactly these bytes, in these pieces. */
export async function serveBytes(
  pieces: readonly Uint8Array[],
  headers: Record<string, string> = {},
): Promise<string> {
  return serve((_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream", ...headers });
    const send = (rest: readonly Uint8Array[]): void => {
      const [piece, ...more] = rest;
      if (!piece) res.end();
      else res.write(piece, () => setImmediate(send, more));
    };
    send(pieces);
  });
}

/** A server that answers the first bytes of each connection with `handle`; returns its URL. */
export async function serveRaw(handle: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createRawServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => handle(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export type PlanInput = Omit<
  Extract<z.input<typeof plannedBrainSchema>, { kind?: "custom" | undefined }>,
  "url"
>;

/** Asks the brain at this address for one turn; returns all parts of its answer. */
export async function ask(
  url: string,
  plan: PlanInput = {},
  signal = new AbortController().signal,
  { client = newClient(), orgId = "org_1" } = {},
) {
  const parts: BrainPart[] = [];
  const answer = client.ask({
    plan: plannedBrainSchema.parse({ url, ...plan }),
    orgId,
    request: { query: "hi", sessionId: "ses_1", turn: 1, userId: "usr_1" },
    signal,
    onSent: () => undefined,
    onFirstContent: () => undefined,
  });
  for await (const part of answer) parts.push(part);
  return parts;
}

/** Tokens in order, and control events by name in brackets. */
export const tokens = (parts: readonly BrainPart[]): string[] =>
  parts.map((part) => (part.type === "token" ? part.text : `<${part.control.event}>`));

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
