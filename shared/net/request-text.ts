import { type Dispatcher, errors } from "undici";

const NOT_IN_PATH = /[^\x21-\x7e]/;
const NOT_IN_VALUE = /[^\t\x20-\x7e]/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Said by the connection itself. */
const ITS_OWN: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding"],
  ...["keep-alive", "upgrade", "expect"],
]);
const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** A request as it goes over the wire. */
export interface RequestText {
  /** With the body where that is text. */
  readonly text: string;
  readonly bytes: Uint8Array | undefined;
  readonly isHead: boolean;
}

/**
 * Writes a request to `host`, which includes the port.
 * @throws InvalidArgumentError of undici for what could be taken for something else, or is not done here
 */
export function requestText(host: string, options: Dispatcher.DispatchOptions): RequestText {
  const { path, method, headers, body = null } = options;
  if (!path.startsWith("/") || NOT_IN_PATH.test(path)) throw invalid("invalid request path");
  if (!NAME.test(method) || method === "CONNECT" || options.upgrade) throw invalid("invalid request method");
  if (body !== null && typeof body !== "string" && !(body instanceof Uint8Array))
    throw invalid("a body that is neither text nor bytes");
  if (headers && Symbol.iterator in headers) throw invalid("headers that are no record");
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const [name, value] of Object.entries(headers ?? {})) text += headerLine(name, value);
  const length = body === null ? 0 : Buffer.byteLength(body);
  const isLengthSaid = length > 0 || !METHODS_WITHOUT_BODY.has(method);
  text += isLengthSaid ? `content-length: ${length}\r\n\r\n` : "\r\n";
  const isHead = method === "HEAD";
  if (typeof body === "string") return { text: text + body, bytes: undefined, isHead };
  return { text, bytes: length > 0 ? (body ?? undefined) : undefined, isHead };
}

function headerLine(name: string, value: unknown): string {
  if (!NAME.test(name) || ITS_OWN.has(name.toLowerCase())) throw invalid("invalid header key");
  if (typeof value !== "string" || NOT_IN_VALUE.test(value)) throw invalid("invalid header value");
  return `${name}: ${value}\r\n`;
}

function invalid(what: string): errors.InvalidArgumentError {
  return new errors.InvalidArgumentError(what);
}
