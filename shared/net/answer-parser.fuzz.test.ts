import { request } from "node:http";
import { Duplex } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AnswerParser } from "./answer-parser.ts";

interface Seen {
  readonly status: number | undefined;
  readonly body: string;
}

/** Beside what was read, how many bytes of it. */
interface Read extends Seen {
  readonly used: number;
}

const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "0", "\r", "\n", " "), maxLength: 12 }), {
  maxLength: 4,
});
const statusLine = fc.constantFrom(
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200 OK",
  "HTTP/1.0 200 OK",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 304 Not Modified",
  "HTTP/1.1 500",
);
const header = fc.constantFrom(
  "Connection: close",
  "connection: keep-alive",
  "Keep-Alive: timeout=5",
  "X: y",
  "X:  y,\t z ",
  "Content-Length: 3",
  "Transfer-Encoding: gzip, chunked",
  "",
);
/** An answer whose body is framed one way or another, and sometimes wrongly. */
const answer = fc
  .tuple(statusLine, fc.array(header, { maxLength: 2 }), pieces, fc.constantFrom("length", "chunks", "rest"))
  .map(([first, headers, parts, framing]) => {
    const body = parts.join("");
    const chunks = parts
      .filter((part) => part !== "")
      .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const [line, text] = {
      length: [`Content-Length: ${body.length}`, body],
      chunks: ["Transfer-Encoding: chunked", `${chunks.join("")}0\r\n\r\n`],
      rest: ["A: b", body],
    }[framing];
    return `${[first, ...headers.filter((one) => one !== ""), line].join("\r\n")}\r\n\r\n${text}`;
  });
const spoiled = fc
  .tuple(
    answer,
    fc.nat(),
    fc.constantFrom("", "\r", "\n", "\r\n", "\0", " ", ":", "0", "9", "x", ";"),
    fc.nat(2),
  )
  .map(([text, at, inserted, removed]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + inserted + text.slice(place + removed);
  });

/** What the parser reads of an answer that comes in pieces of this size; undefined if it is refused or does not end. */
function ours(text: string, piece: number): Read | undefined {
  let status: number | undefined;
  let body = "";
  let isOver = false;
  let used = 0;
  const parser = new AnswerParser({
    onHead: (head) => {
      status = head.status;
    },
    onBody: (part) => {
      body += part.toString("latin1");
    },
    onEnd: () => {
      isOver = true;
    },
  });
  parser.begin({ isHeadRequest: false });
  const bytes = Buffer.from(text, "latin1");
  try {
    for (let at = 0; at < bytes.length && !isOver; at += piece)
      used += parser.read(bytes.subarray(at), Math.min(piece, bytes.length - at));
    if (!isOver) parser.finish();
  } catch {
    return undefined;
  }
  return isOver ? { status, body, used } : undefined;
}

/** What Node's own client reads of the same bytes. */
function nodes(text: string): Promise<Seen | undefined> {
  return new Promise((resolve) => {
    const connection = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    const asked = request({ createConnection: () => connection as never }, (response) => {
      let body = "";
      response.setEncoding("latin1").on("data", (part: string) => {
        body += part;
      });
      response.on("error", () => resolve(undefined));
      response.on("end", () =>
        resolve(response.complete ? { status: response.statusCode, body } : undefined),
      );
    });
    asked.on("error", () => resolve(undefined));
    asked.end();
    connection.push(Buffer.from(text, "latin1"));
    connection.push(null);
  });
}

it("an answer is never read as something that Node's own client does not read", async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(answer, spoiled), fc.integer({ min: 1, max: 40 }), async (text, piece) => {
      const whole = ours(text, text.length || 1);
      expect(ours(text, piece)).toEqual(whole);
      if (!whole) return;
      read += 1;
      const { used, ...seen } = whole;
      expect({ text, seen: await nodes(text.slice(0, used)) }).toEqual({ text, seen });
    }),
    { numRuns: 3_000 },
  );
  expect(read).toBeGreaterThan(800);
});
