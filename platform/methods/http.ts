import { z } from "zod";
import { method, scopeOf } from "./define.ts";
import { HTTP_LIMITS } from "./limits.ts";

export const HTTP_METHODS_ALLOWED = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

/** In a header, the query or the body: refers to a secret setting of the app, which the server substitutes. */
export const SECRET_REFERENCE = /\{\{secret:([A-Za-z][A-Za-z0-9_-]{0,63})\}\}/g;

/** A request to a host covered by the manifest's `http:<host>` scopes. */
export const httpRequestSchema = z
  .strictObject({
    url: z.url({ protocol: /^https$/, error: "must be an https address" }).max(8_192),
    method: z.enum(HTTP_METHODS_ALLOWED).optional(),
    headers: z
      .record(
        z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, "must be a header's name"),
        z
          .string()
          .max(8_192)
          .regex(/^[^\r\n\0]*$/, "may not have line breaks"),
      )
      .optional(),
    body: z.string().max(HTTP_LIMITS.requestBytes).optional(),
    /** The connected account's provider; the server adds its credential. */
    connection: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,63}$/, "must be the name of a provider")
      .optional(),
  })
  .refine(({ method = "GET", body }) => body === undefined || (method !== "GET" && method !== "HEAD"), {
    path: ["body"],
    error: "may not be there: GET and HEAD have none",
  });
export type HttpRequest = z.infer<typeof httpRequestSchema>;

export const httpResponseSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
export type HttpResponse = z.infer<typeof httpResponseSchema>;

const toHost = scopeOf(
  "http:<host>, connection:<provider>",
  ({ request: { url, connection } }: { request: HttpRequest }) => [
    `http:${new URL(url).hostname}`,
    ...(connection ? [`connection:${connection}`] : []),
  ],
);

export const HTTP_METHODS = [
  method("http.fetch", {
    about:
      "Asks a host of the manifest, over https and without following redirects; the answer's body is text.",
    scope: toHost,
    params: { request: httpRequestSchema },
    result: httpResponseSchema,
    limits: {
      requestBytes: HTTP_LIMITS.requestBytes + 64 * 1024,
      timeoutMs: 30_000,
      perMinute: 300,
      inFlight: 8,
    },
  }),
] as const;
