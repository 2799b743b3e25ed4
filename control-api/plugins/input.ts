import { AppError } from "@parley/shared/errors.ts";
import fp from "fastify-plugin";

/**
 * What every body and path has to be before a schema sees it. A JSON body may be empty (clients send the
 * content type on routes that take none); a NUL character is refused, as Postgres stores none.
 */
export const inputPlugin = fp(async (app) => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (text === "") done(null, undefined);
    else if (text.includes("\\u0000")) done(nul("body"));
    else void parseJson(request, text, done);
  });
  app.addHook("preValidation", async (request) => {
    const values = Object.values(request.params ?? {});
    if (values.some((value) => typeof value === "string" && value.includes("\0"))) throw nul("path");
  });
});

function nul(where: string): AppError {
  return new AppError("bad_request", `The ${where} has a NUL character; leave it out.`);
}
