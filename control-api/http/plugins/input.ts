import { isUtf8 } from "node:buffer";
import { AppError } from "@parley/shared/errors.ts";
import fp from "fastify-plugin";

/**
 * Checks every body and path before a schema sees it. A JSON body may be empty (clients send the content type on routes
 * that take none) and must be UTF-8 (RFC 8259, section 8.1); NUL characters and lone surrogates are refused, since
 * Postgres stores neither.
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
  // Another site's page may send this type without a preflight, and no route of ours accepts it.
  app.removeContentTypeParser("text/plain");
  app.addHook("preParsing", async ({ headers: { "content-encoding": encoding = "identity" } }) => {
    if (encoding === "identity") return;
    throw new AppError("unsupported_media_type", "Send the body as it is, without a Content-Encoding.");
  });
  app.addHook("preValidation", async (request) => {
    if (hasNul(request.params)) throw nul("path");
    if (hasNul(request.query)) throw nul("query");
  });
});

/**
 * NUL and lone surrogates enter JSON only as escapes. A match may still be harmless text, since the backslash of
 * `\\u0000` is itself escaped, so the strings are checked after parsing.
 */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Checks every key and string without recursion: the client controls the nesting depth. */
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
  return new AppError("bad_request", "The body contains half of a surrogate pair. Send whole characters.");
}

function hasNul(values: unknown): boolean {
  return Object.values(values ?? {}).some((value) => typeof value === "string" && value.includes("\0"));
}

function nul(where: string): AppError {
  return new AppError("bad_request", `The ${where} has a NUL character; leave it out.`);
}
