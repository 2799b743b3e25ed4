import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { type AnswerHead, AnswerParser } from "./answer-parser.ts";

/** Reads bytes in pieces of this size; what is read, and how many bytes belonged to the answer. */
function read(
  text: string,
  { piece = Number.POSITIVE_INFINITY, isHeadRequest = false, isEnded = false } = {},
) {
  const heads: AnswerHead[] = [];
  const seen = { heads, body: "", trailers: undefined as IncomingHttpHeaders | undefined, used: 0 };
  const parser = new AnswerParser({
    onHead: (head) => heads.push(head),
    onBody: (part) => {
      seen.body += part.toString("latin1");
    },
    onEnd: (trailers) => {
      seen.trailers = trailers;
    },
  });
  parser.begin({ isHeadRequest });
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += piece) {
    // What follows in memory is of other connections.
    const memory = Buffer.concat([bytes.subarray(at, at + piece), Buffer.from("\r\n0\r\n\r\nHTTP/1.1")]);
    seen.used += parser.read(memory, Math.min(piece, bytes.length - at));
  }
  if (isEnded) parser.finish();
  const { trailers, body, used } = seen;
  const last = heads.at(-1);
  return {
    status: last?.status,
    isKeptAlive: last?.isKeptAlive,
    headers: last?.headers,
    body,
    trailers,
    used,
  };
}

const OK = "HTTP/1.1 200 OK\r\n";

describe.each([
  ["in one piece", 100_000],
  ["byte by byte", 1],
  ["in threes", 3],
])("an answer that comes %s", (_how, piece) => {
  it.each([
    ["with a length", `${OK}Content-Length: 5\r\n\r\nhello`, "hello", true],
    ["without a body", `${OK}Content-Length: 0\r\n\r\n`, "", true],
    [
      "in chunks",
      `${OK}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`,
      "hello",
      true,
    ],
    [
      "in chunks of a hundred",
      `${OK}transfer-encoding: Chunked\r\n\r\n0064\r\n${"x".repeat(100)}\r\n0\r\n\r\n`,
      "x".repeat(100),
      true,
    ],
    [
      "after others that were early",
      `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${OK}content-length: 2\r\n\r\nhi`,
      "hi",
      true,
    ],
    ["that says close", `${OK}Connection: foo, Close\r\nContent-Length: 2\r\n\r\nhi`, "hi", false],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", "hi", false],
    [
      "of HTTP/1.0 that is kept",
      "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi",
      "hi",
      true,
    ],
    ["without a reason", "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", "", true],
    ["204", "HTTP/1.1 204 No Content\r\n\r\n", "", true],
    ["204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n", "", false],
  ])("%s is read as it is, to its last byte", (_what, text, body, isKeptAlive) => {
    const seen = read(text, { piece });
    expect(seen).toMatchObject({ body, isKeptAlive, trailers: {}, used: text.length });
    expect(read(`${text}HTTP/1.1 200 OK`, { piece }).used).toBe(text.length);
  });

  it("without a length ends with its connection", () => {
    const text = `${OK}a: b\r\n\r\nhello`;
    expect(read(text, { piece })).toMatchObject({ body: "hello", trailers: undefined });
    expect(read(text, { piece, isEnded: true })).toMatchObject({
      body: "hello",
      isKeptAlive: false,
      trailers: {},
    });
  });

  it("is not over when the connection ends before its length", () => {
    expect(read(`${OK}content-length: 6\r\n\r\nhello`, { piece, isEnded: true }).trailers).toBeUndefined();
  });

  it("to a HEAD has a length and no body", () => {
    expect(read(`${OK}content-length: 6\r\n\r\n`, { piece, isHeadRequest: true })).toMatchObject({
      body: "",
      trailers: {},
      isKeptAlive: true,
    });
  });

  it("has its headers by their names, and its trailers", () => {
    const text = `${OK}A: 1\r\na:\t2 \r\nSet-Cookie: x\r\nset-cookie: y\r\n__proto__: z\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nB: 3\r\n\r\n`;
    const { headers, trailers } = read(text, { piece });
    expect(headers).toMatchObject({ a: "1, 2", "set-cookie": ["x", "y"] });
    expect(trailers).toEqual({ b: "3" });
  });

  it.each([
    ["no HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["no HTTP, which goes on", "220 mail.example\r\n"],
    ["another version", "HTTP/2.0 200 OK\r\n\r\n"],
    ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
    ["lines that end in a line feed alone", "HTTP/1.1 200 OK\na: b\r\n\r\n"],
    ["a header without a colon", `${OK}abc\r\n\r\n`],
    ["a blank before the colon", `${OK}content-length : 3\r\n\r\nabc`],
    ["a header of two lines", `${OK}a: b\r\n  c\r\nContent-Length: 2\r\n\r\nhi`],
    ["a carriage return before a length", `${OK}content-length:\r 3\r\n\r\nabc`],
    ["a carriage return in a header", `${OK}a: b\rc\r\n\r\n`],
    ["a zero byte in a header", `${OK}a: b\0\r\n\r\n`],
    ["two lengths", `${OK}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`],
    ["a length beside chunks", `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a length with a sign", `${OK}content-length: +3\r\n\r\nabc`],
    ["a length beyond numbers", `${OK}content-length: 99999999999999999\r\n\r\nabc`],
    ["a chunk's size that is none", `${OK}transfer-encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n`],
    ["a blank after a chunk's size", `${OK}transfer-encoding: chunked\r\n\r\n3 \r\nabc\r\n0\r\n\r\n`],
    ["a chunk longer than its size", `${OK}transfer-encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n`],
    [
      "a chunk's line that ends in a line feed alone",
      `${OK}transfer-encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n`,
    ],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["a permission to go on that was not asked for", "HTTP/1.1 100 Continue\r\n\r\n"],
  ])("with %s is refused", (_what, text) => {
    expect(() => read(text, { piece })).toThrow("does not follow HTTP/1.1");
  });

  it.each([
    ["headers", `${OK}a: ${"x".repeat(20_000)}`],
    ["a chunk's size", `${OK}transfer-encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}`],
    ["trailers", `${OK}transfer-encoding: chunked\r\n\r\n0\r\n${"a: b\r\n".repeat(4_000)}`],
  ])("with %s that do not end is refused", (_what, text) => {
    expect(() => read(text, { piece })).toThrow(
      expect.objectContaining({ code: "UND_ERR_HEADERS_OVERFLOW" }),
    );
  });
});
