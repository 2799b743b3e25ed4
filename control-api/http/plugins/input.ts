import { isUtf8 } from "node:buffer";
import { AppError } from "@parley/shared/errors.ts";
import fp from "fastify-plugin";

/**
 * What every body and path has to be before a schema sees it. A JSON body may be empty (clients send the content type
 * on routes that take none) and is UTF-8 (RFC 8259, section 8.1); a NUL character and half a surrogate pair are refused,
 * as Postgres stores neither.
 */
export const inputPlugin = fp(async (app) => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const bytes = Buffer.from(body);
    if (bytes.length === 0) return done(null, undefined);
    if (!isUtf8(bytes)) {
      return done(new AppError("bad_request", "The body is not valid UTF-8; send JSON encoded as UTF-8."));
    }
    const text = bytes.toString("utf8");
    void parseJson(request, text, (error, value) => {
      if (error || !UNSTORABLE_ESCAPE.test(text)) done(error, value);
      else done(unstorableIn(value) ?? null, value);
    });
  });
  // A page of another site may send it without asking first, and no route of ours takes it.
  app.removeContentTypeParser("text/plain");
  app.addHook("preValidation", async (request) => {
    if (hasNul(request.params)) throw nul("path");
    if (hasNul(request.query)) throw nul("query");
  });
});

/**
 * NUL and half of a pair get into JSON by their escape only. Where one is written, it may still be text: the backslash
 * of `\\u0000` is escaped itself. So the strings are looked at once they are parsed.
 */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Looks at every key and string without recursion: nesting is the client's choice. */
function unstorableIn(value: unknown): AppError | undefined {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") {
      if (next.includes("\0")) return nul("body");
      if (!next.isWellFormed()) return broken();
    } else if (typeof next === "object" && next !== null) {
      for (const [key, child] of Object.entries(next)) left.push(key, child);
    }
  }
  return undefined;
}

function broken(): AppError {
  return new AppError("bad_request", "The body has half of a surrogate pair; write whole characters.");
}

function hasNul(values: unknown): boolean {
  return Object.values(values ?? {}).some((value) => typeof value === "string" && value.includes("\0"));
}

function nul(where: string): AppError {
  return new AppError("bad_request", `The ${where} has a NUL character; leave it out.`);
}
