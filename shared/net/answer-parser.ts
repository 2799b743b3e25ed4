import type { IncomingHttpHeaders } from "node:http";
import { errors } from "undici";

/** Status line and headers of an answer together, and any trailers. */
const MAX_HEAD_BYTES = 16_384;
/** A chunk's size with its extensions. */
const MAX_SIZE_LINE_BYTES = 4_096;
const VERSION = "HTTP/1.";
const HEAD_END = "\r\n\r\n";
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const AROUND_VALUE = /^[\t ]+|[\t ]+$/g;
/** With extensions (RFC 9112, 7.1.1), which mean nothing here. */
const CHUNK_SIZE =
  /^([0-9A-Fa-f]{1,12})(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"[\x20-\x21\x23-\x5b\x5d-\x7e]*"))?)*$/;
const CONTENT_LENGTH = /^\d{1,15}$/;
const LF = 10;
const NO_BODY: ReadonlySet<number> = new Set([204, 304]);
const EARLY_STATUS = 200;
const CONTINUE = 100;
const SWITCHING = 101;

/** Status and headers, of the final answer or of one before it (1xx). */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether the connection may be used again after the answer. */
  readonly isKeptAlive: boolean;
}

export interface AnswerSink {
  onHead(head: AnswerHead): void;
  /** A part of the body; its memory is used again afterwards. */
  onBody(part: Buffer): void;
  onEnd(trailers: IncomingHttpHeaders): void;
}

type State = "head" | "counted" | "size" | "chunk" | "after-chunk" | "trailers" | "rest" | "over";

/**
 * Reads one answer of HTTP/1.1 (RFC 9112) from bytes as they come, whatever their cuts. Strict: what two readers could
 * understand differently is an error, `HTTPParserError` of undici.
 */
export class AnswerParser {
  readonly #sink: AnswerSink;
  #state: State = "over";
  #isHeadRequest = false;
  /** The last head: a receiver's are the same for a second. */
  #known = { text: "", parsed: undefined as ParsedHead | undefined };
  /** Of a head or line that is not complete yet. */
  #text = "";
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** The answer to a request is to come. */
  begin({ isHeadRequest }: { readonly isHeadRequest: boolean }): void {
    this.#state = "head";
    this.#isHeadRequest = isHeadRequest;
    this.#text = "";
  }

  /** Nothing more of this answer matters. */
  stop(): void {
    this.#state = "over";
  }

  /** Reads the first `length` bytes of `bytes`; returns how many of them belong to the answer. */
  read(bytes: Buffer, length: number): number {
    let at = 0;
    while (this.#state !== "over" && at < length) at = this.#step(bytes, at, length);
    return at;
  }

  /** The connection ended. Returns whether that is how this answer ends. */
  finish(): boolean {
    if (this.#state !== "rest") return false;
    this.#end({});
    return true;
  }

  #step(bytes: Buffer, at: number, length: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes, at, length);
      case "counted":
      case "chunk":
      case "rest":
        return this.#readBody(bytes, at, length);
      default:
        return this.#readLine(bytes, at, length);
    }
  }

  #readHead(bytes: Buffer, at: number, length: number): number {
    const known = this.#text.length;
    const most = Math.min(length, at + MAX_HEAD_BYTES - known);
    const text = this.#text + bytes.toString("latin1", at, most);
    const end = text.indexOf(HEAD_END, Math.max(0, known - HEAD_END.length + 1));
    if (end === -1) {
      if (!VERSION.startsWith(text.slice(0, VERSION.length))) throw broken("no status line");
      if (text.length >= MAX_HEAD_BYTES) throw new errors.HeadersOverflowError();
      this.#text = text;
      return most;
    }
    this.#text = "";
    this.#begin(this.#parsed(text.slice(0, end)));
    return at + end + HEAD_END.length - known;
  }

  #parsed(text: string): ParsedHead {
    if (this.#known.parsed && this.#known.text === text) return this.#known.parsed;
    const parsed = parseHead(text);
    this.#known = { text, parsed };
    return parsed;
  }

  #begin({ head, framing }: ParsedHead): void {
    if (head.status < EARLY_STATUS) {
      // Neither was asked for; afterwards the connection would speak something else.
      if (head.status === CONTINUE || head.status === SWITCHING) throw broken(`status ${head.status}`);
      this.#sink.onHead(head);
      return;
    }
    const hasBody = !this.#isHeadRequest && !NO_BODY.has(head.status);
    const isEmpty = framing === 0 || (framing === "rest" && !hasBody);
    // Who sends a body that may not be there would begin the next answer with it.
    const isDoubtful = !hasBody && !this.#isHeadRequest && !isEmpty;
    const isEndless = hasBody && framing === "rest";
    this.#sink.onHead(isDoubtful || isEndless ? { ...head, isKeptAlive: false } : head);
    if ((this.#state as State) === "over") return;
    if (!hasBody || framing === 0) this.#end({});
    else if (typeof framing === "number") {
      this.#left = framing;
      this.#state = "counted";
    } else this.#state = framing === "chunks" ? "size" : "rest";
  }

  #readBody(bytes: Buffer, at: number, length: number): number {
    const isRest = this.#state === "rest";
    const end = isRest ? length : Math.min(length, at + this.#left);
    this.#left -= end - at;
    const isLast = !isRest && this.#left === 0;
    this.#sink.onBody(bytes.subarray(at, end));
    if (!isLast || (this.#state as State) === "over") return end;
    if (this.#state === "chunk") this.#state = "after-chunk";
    else this.#end({});
    return end;
  }

  #readLine(bytes: Buffer, at: number, length: number): number {
    const found = bytes.subarray(at, length).indexOf(LF);
    const isWhole = found !== -1;
    const end = isWhole ? at + found + 1 : length;
    const text = this.#text + bytes.toString("latin1", at, end);
    const most = this.#state === "trailers" ? MAX_HEAD_BYTES : MAX_SIZE_LINE_BYTES;
    if (text.length > most) throw new errors.HeadersOverflowError();
    this.#text = text;
    if (!isWhole) return end;
    if (this.#state === "trailers") {
      if (text === "\r\n") this.#end({});
      else if (text.endsWith(HEAD_END))
        this.#end(parseHeaders(text.slice(0, -HEAD_END.length).split("\r\n")));
      return end;
    }
    if (!text.endsWith("\r\n")) throw broken("a line without its end");
    this.#text = "";
    this.#takeLine(text.slice(0, -2));
    return end;
  }

  #takeLine(line: string): void {
    if (this.#state === "after-chunk") {
      if (line !== "") throw broken("a chunk longer than its size");
      this.#state = "size";
      return;
    }
    const size = CHUNK_SIZE.exec(line)?.[1];
    if (size === undefined) throw broken("a chunk without its size");
    this.#left = Number.parseInt(size, 16);
    this.#state = this.#left === 0 ? "trailers" : "chunk";
  }

  #end(trailers: IncomingHttpHeaders): void {
    this.#state = "over";
    this.#text = "";
    this.#sink.onEnd(trailers);
  }
}

/** How long the body is: so many bytes, in chunks, or until the connection ends. */
type Framing = number | "chunks" | "rest";

interface ParsedHead {
  readonly head: AnswerHead;
  readonly framing: Framing;
}

function parseHead(text: string): ParsedHead {
  const [first = "", ...lines] = text.split("\r\n");
  const line = STATUS_LINE.exec(first);
  if (!line) throw broken("no status line");
  const headers = parseHeaders(lines);
  const connection = headers.connection?.toLowerCase() ?? "";
  const isKeptAlive = line[1] === "1" ? !hasToken(connection, "close") : hasToken(connection, "keep-alive");
  const head = { status: Number(line[2]), statusText: line[3] ?? "", headers, isKeptAlive };
  return { head, framing: framingOf(headers) };
}

function framingOf(headers: IncomingHttpHeaders): Framing {
  const codings = headers["transfer-encoding"];
  const length = headers["content-length"];
  if (codings !== undefined) {
    if (length !== undefined) throw broken("two lengths");
    return codings.split(",").at(-1)?.trim().toLowerCase() === "chunked" ? "chunks" : "rest";
  }
  if (length === undefined) return "rest";
  if (!CONTENT_LENGTH.test(length)) throw broken("a length that is no number");
  return Number(length);
}

function hasToken(list: string, token: string): boolean {
  return list.split(",").some((one) => one.trim() === token);
}

function parseHeaders(lines: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    const value = line.slice(colon + 1).replace(AROUND_VALUE, "");
    if (!HEADER_NAME.test(name) || NOT_IN_VALUE.test(value)) throw broken("a header that is none");
    if (name === "set-cookie") cookies.push(value);
    // A repeated length is no number then.
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return cookies.length > 0 ? { ...headers, "set-cookie": cookies } : headers;
}

function broken(what: string): errors.HTTPParserError {
  return new errors.HTTPParserError(`The answer does not follow HTTP/1.1: ${what}.`);
}
