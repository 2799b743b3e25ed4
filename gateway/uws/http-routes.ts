import type { HttpResponse, TemplatedApp } from "uWebSockets.js";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

export interface HttpRoutes {
  /** Whether new calls may be placed on this node, and why not. */
  readonly readiness: () => { ready: true } | { ready: false; reason: string };
  readonly metricsText: () => Promise<{ contentType: string; text: string }>;
  readonly log: Logger;
}

interface JsonAnswer {
  readonly status: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves liveness, readiness and metrics; answers every other path as not found. */
export function addHttpRoutes(app: TemplatedApp, routes: HttpRoutes): void {
  app.get("/healthz", (res) => sendJson(res, { status: "200 OK", body: { status: "ok" } }));
  app.get("/readyz", (res) => {
    const readiness = routes.readiness();
    if (readiness.ready) sendJson(res, { status: "200 OK", body: { status: "ready" } });
    else
      sendJson(res, {
        status: "503 Service Unavailable",
        body: { status: "not ready", reason: readiness.reason },
      });
  });
  app.get("/metrics", (res) => {
    void sendMetrics(res, routes);
  });
  const sockets = ["/v1/calls/:sessionId", "/v1/streams/:sessionId", "/v1/media/:carrier/:sessionId/:ticket"];
  for (const path of sockets) app.any(path, askForUpgrade);
  app.any("/*", (res) => {
    const error =
      "The gateway has no such address; sockets are at /v1/calls/<sessionId>, /v1/streams/<sessionId> and /v1/media/<carrier>/<sessionId>/<ticket>.";
    sendJson(res, { status: "404 Not Found", body: { success: false, error, code: "not_found" } });
  });
}

function askForUpgrade(res: HttpResponse): void {
  const error = "This is a websocket address; connect to it with a websocket client.";
  sendJson(res, {
    status: "426 Upgrade Required",
    body: { success: false, error, code: "upgrade_required" },
    headers: { Upgrade: "websocket" },
  });
}

/** Answers with JSON; the response must not have been aborted. */
export function sendJson(res: HttpResponse, answer: JsonAnswer): void {
  res.cork(() => {
    res.writeStatus(answer.status).writeHeader("Content-Type", "application/json");
    for (const [name, value] of Object.entries(answer.headers ?? {})) res.writeHeader(name, value);
    res.end(JSON.stringify(answer.body));
  });
}

async function sendMetrics(res: HttpResponse, { metricsText, log }: HttpRoutes): Promise<void> {
  let isAborted = false;
  res.onAborted(() => {
    isAborted = true;
  });
  try {
    const { contentType, text } = await metricsText();
    if (isAborted) return;
    res.cork(() => res.writeHeader("Content-Type", contentType).end(text));
  } catch (error) {
    log.error({ event: "metrics_failed", err: messageOf(error) }, "failed to collect metrics");
    if (!isAborted) sendJson(res, { status: "500 Internal Server Error", body: { success: false } });
  }
}
