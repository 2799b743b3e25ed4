import { once } from "node:events";
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkBundle } from "../../publish-checks/check-bundle.ts";
import { lineOf } from "../../publish-checks/problem.ts";
import { CliError } from "../cli-error.ts";
import type { Stream } from "../output.ts";
import { buildApp, bundle } from "./build-app.ts";

const PAGE = fileURLToPath(new URL("dev-page.ts", import.meta.url));
const STYLES = fileURLToPath(new URL("../../sdk/design/platform.css", import.meta.url));
/** Debounce: an editor writes several files at once. */
const GATHER_MS = 50;
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
  html: "text/html",
};
const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/platform.css" />
    <style>body { padding: 1rem; }</style>
    <script type="module" src="/dev-page.js"></script>
  </head>
  <body><div id="root"></div></body>
</html>
`;

export interface DevOptions {
  readonly dir: string;
  /** 0 picks any free port. */
  readonly port: number;
}

/**
 * Serves an app during development until `signal` aborts: standalone with a mock bridge, and to the
 * dashboard's dev preview. Throws `CliError`.
 */
export async function devApp(
  { dir, port }: DevOptions,
  { out, err, signal }: { readonly out: Stream; readonly err: Stream; readonly signal: AbortSignal },
): Promise<void> {
  const served = new Map<string, Uint8Array>([
    ["index.html", new TextEncoder().encode(HTML)],
    ["platform.css", new Uint8Array(await readFile(STYLES))],
    ["index.css", new Uint8Array()],
    ...(await bundle(dirname(PAGE), { entry: PAGE, name: "dev-page" })),
  ]);
  const rebuild = async (): Promise<void> => {
    const files = await buildApp(dir);
    for (const [path, bytes] of files) served.set(path, bytes);
    for (const problem of checkBundle(files).problems) err.write(`${lineOf(problem)}\n`);
  };
  await rebuild();
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/__livereload") return listen(response, listeners);
    answer(response, pathname === "/" ? "index.html" : pathname.slice(1), served);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch(() => {
    throw new CliError(`Port ${port} is in use. Choose another one with --port.`);
  });
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  out.write(`${address}  the app with a mock of the dashboard\n`);
  out.write(`To see it on real data: Apps, the app, Dev preview, ${address}\n`);
  followChanges(dir, signal, async () => {
    await rebuild().then(
      () => {
        out.write("Built again.\n");
        for (const listener of listeners) listener.write("data: rebuilt\n\n");
      },
      (error: unknown) => err.write(`${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
  if (!signal.aborted) await once(signal, "abort");
  for (const listener of listeners) listener.end();
  server.close();
  server.closeAllConnections();
}

/** What an app's frame refuses, the page that stands in for it refuses, too: code from texts, other origins. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' data: blob:",
  "connect-src 'self'",
  // Its modals.
  "frame-src 'self'",
  ...["object-src", "worker-src", "base-uri", "form-action"].map((directive) => `${directive} 'none'`),
].join("; ");

/** Frames have an opaque origin, so any origin may read. */
function answer(response: ServerResponse, path: string, served: ReadonlyMap<string, Uint8Array>): void {
  const bytes = served.get(path);
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("cache-control", "no-store");
  response.setHeader("content-security-policy", POLICY);
  if (!bytes) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(bytes);
}

function listen(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  });
  response.write(": here\n\n");
  listeners.add(response);
  response.on("close", () => listeners.delete(response));
}

function followChanges(dir: string, signal: AbortSignal, onChange: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  watch(resolve(dir), { recursive: true, signal }, (_, path) => {
    if (path !== null && /(^|[\\/])(node_modules|\.git)([\\/]|$)/.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(onChange);
    }, GATHER_MS);
  }).on("error", () => undefined);
}
