import { AppError } from "@parley/shared/errors.ts";
import fp from "fastify-plugin";

/**
 * What every body and path has to be before a schema sees it. A JSON body may be empty (clients send the
 * content type on routes that take none); a NUL character and half a surrogate pair are refused, as Postgres
 * stores neither.
 */
export const inputPlugin = fp(async (app) => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (text === "") done(null, undefined);
    else if (text.includes("\\u0000")) done(nul("body"));
    else {
      void parseJson(request, text, (error, value) => {
        if (!error && SURROGATE_ESCAPE.test(text) && !isWellFormed(value)) done(broken());
        else done(error, value);
      });
    }
  });
  // A page of another site may send it without asking first, and no route of ours takes it.
  app.removeContentTypeParser("text/plain");
  app.addHook("preValidation", async (request) => {
    if (hasNul(request.params)) throw nul("path");
    if (hasNul(request.query)) throw nul("query");
  });
});

/** Half of a pair can get into JSON by its escape only. */
const SURROGATE_ESCAPE = /\\ud[89a-f]/i;

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, child]) => key.isWellFormed() && isWellFormed(child));
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
