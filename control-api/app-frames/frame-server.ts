import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isDevOrigin } from "@parley/platform/host/frame-address.ts";
import { frameDocument, type Runtime, readRuntime, typeOf } from "./frame-files.ts";
import { FILE_HEADERS, frameHeaders } from "./frame-policy.ts";

const MAX_URL_CHARS = 2_048;
const ID = "[A-Za-z0-9_-]{1,64}";
const VERSION = "\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}";
const FRAME = new RegExp(`^/_apps/(${ID})/(${VERSION})/frame$`);
const DEV_FRAME = new RegExp(`^/_apps/(${ID})/dev/frame$`);
const FILE = new RegExp(`^/_apps/(${ID})/(${VERSION})/files/([A-Za-z0-9._@/-]{1,200})$`);
/** Versions are immutable; a withdrawn one leaves caches within the hour. */
const KEPT = "public, max-age=3600";
const FOR_GOOD = "public, max-age=31536000, immutable";

export interface FrameServerDeps {
  /** The origin of this server as browsers reach it. */
  readonly origin: () => string;
  /** Origins of the dashboard. */
  readonly ancestors: () => readonly string[];
  readonly pagesDir: string;
  /** A file of a version that may run; undefined when there is none. */
  readonly readFile: (file: {
    readonly appId: string;
    readonly version: string;
    readonly path: string;
  }) => Promise<Buffer | undefined>;
  readonly onError: (error: unknown) => void;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/**
 * The origin of apps: the document every app runs in, and the files of bundles. It has no cookies, no accounts and no
 * state to change; anyone who knows an app's id may read the app's files, as its users do.
 */
export function createFrameServer(deps: FrameServerDeps): Server {
  let runtime: Promise<Runtime> | undefined;
  const loaded = (): Promise<Runtime> => {
    runtime ??= readRuntime(deps.pagesDir).catch((error: unknown) => {
      runtime = undefined;
      throw error;
    });
    return runtime;
  };
  return createServer((request, response) => {
    answerTo(request, { ...deps, runtime: loaded })
      .catch((error: unknown): Answer => {
        deps.onError(error);
        return refused(500, "The app could not be loaded. Try again.");
      })
      .then((answer) => send(answer, request, response))
      .catch(deps.onError);
  });
}

type Parts = FrameServerDeps & { readonly runtime: () => Promise<Runtime> };

async function answerTo({ method, url = "", headers }: IncomingMessage, parts: Parts): Promise<Answer> {
  if (method !== "GET" && method !== "HEAD") return refused(405, "Only GET and HEAD are answered here.");
  if (url.length > MAX_URL_CHARS) return refused(414, "The address is too long.");
  const at = new URL(url, "http://frames.invalid");
  const [, fileOf, version = "", path = ""] = FILE.exec(at.pathname) ?? [];
  if (fileOf !== undefined) return file({ appId: fileOf, version, path }, parts);
  if (at.pathname.startsWith("/_frame/")) return runtimeFile(at.pathname, await parts.runtime());
  // Frames are embedded, never opened directly: nothing would confine one to its bridge.
  const shown = headers["sec-fetch-dest"];
  if (shown !== undefined && shown !== "iframe") return refused(403, "Apps run inside the dashboard only.");
  return frame(at, parts);
}

async function frame({ pathname, searchParams }: URL, parts: Parts): Promise<Answer> {
  const origin = parts.origin();
  const own = FRAME.exec(pathname);
  const dev = searchParams.get("origin") ?? "";
  if (own === null && !(DEV_FRAME.test(pathname) && isDevOrigin(dev)))
    return refused(404, "There is no such app.");
  const sources =
    own === null ? { files: dev, connect: dev } : { files: `${origin}/_apps/${own[1]}/${own[2]}/files/` };
  return {
    status: 200,
    headers: {
      ...frameHeaders({ origin, ancestors: parts.ancestors(), ...sources }),
      "content-type": "text/html; charset=utf-8",
    },
    body: frameDocument(await parts.runtime()),
  };
}

async function file(
  named: { readonly appId: string; readonly version: string; readonly path: string },
  { readFile }: Parts,
): Promise<Answer> {
  const body = await readFile(named);
  if (body === undefined) return refused(404, "There is no such file.");
  const headers = { ...FILE_HEADERS, "content-type": typeOf(named.path), "cache-control": KEPT };
  return { status: 200, headers, body };
}

function runtimeFile(pathname: string, { script, style }: Runtime): Answer {
  const found = [script, style].find(({ path }) => path === pathname);
  if (found === undefined) return refused(404, "There is no such file.");
  const headers = { ...FILE_HEADERS, "content-type": typeOf(found.path), "cache-control": FOR_GOOD };
  return { status: 200, headers, body: found.bytes };
}

function refused(status: number, body: string): Answer {
  const headers = {
    ...FILE_HEADERS,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
  };
  return { status, headers, body };
}

function send(
  { status, headers, body }: Answer,
  { method }: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) });
  response.end(method === "HEAD" ? undefined : body);
}
