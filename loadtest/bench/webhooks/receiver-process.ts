import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Histogram } from "../../report/histogram.ts";

/**
 * A webhook receiver: answers 200 to `/hook/<n>`, never answers `/hang/<n>`. `GET /reset` clears the counts;
 * `GET /seen?count=<n>` answers once that many have arrived since: over what time, and how late by their
 * `occurredAt`.
 */
const OCCURRED = '"occurredAt":"';
const TIMESTAMP_LENGTH = 24;
let seen = 0;
let firstMs = 0;
let lastMs = 0;
let delays = new Histogram();
let waiting: { count: number; response: ServerResponse } | undefined;

function reset(): void {
  seen = 0;
  delays = new Histogram();
}

function note(body: string): void {
  lastMs = performance.now();
  if (seen === 0) firstMs = lastMs;
  seen += 1;
  const at = body.indexOf(OCCURRED) + OCCURRED.length;
  delays.record(Date.now() - Date.parse(body.slice(at, at + TIMESTAMP_LENGTH)));
  tell();
}

function tell(): void {
  if (!waiting || seen < waiting.count) return;
  const [p50Ms, p99Ms] = [delays.quantile(0.5), delays.quantile(0.99)];
  waiting.response.end(JSON.stringify({ seen, tookMs: lastMs - firstMs, p50Ms, p99Ms }));
  waiting = undefined;
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://receiver");
  if (url.pathname === "/seen") {
    waiting = { count: Number(url.searchParams.get("count")), response };
    return tell();
  }
  if (url.pathname === "/reset") {
    reset();
    return void response.end();
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (url.pathname.startsWith("/hang/")) return;
    note(Buffer.concat(chunks).toString("utf8"));
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`receiver ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit(0));
