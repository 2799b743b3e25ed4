import { z } from "zod";
import { toolDescription, toolKind, toolName } from "./tool-kind.ts";

/** Headers that the connection itself sets, or that only Parley may set. */
const RESERVED_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|x-service-.*)$/i;

const headersSchema = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, "a header's name")
    .refine((name) => !RESERVED_HEADERS.test(name), "a header that is not set by Parley itself"),
  z.string().max(8_192),
);

const settings = z.object({
  kind: z.literal("http"),
  name: toolName,
  description: toolDescription,
  /** JSON Schema of the arguments, given to the model unchanged. */
  parameters: z.record(z.string(), z.unknown()).default({ type: "object", properties: {} }),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
  /**
   * Placeholders in the path and the query are filled with the call's variables, else with arguments. GET and DELETE
   * send the remaining arguments in the query, other methods send all of them as a JSON body.
   */
  url: z
    .string()
    .max(2_048)
    .regex(
      /^https?:\/\/[^\s/?#{}]+([/?][^\s#]*)?$/i,
      "an http(s) URL, placeholders in its path or query only",
    ),
  /** Placeholders in the values are filled with the call's variables. */
  headers: headersSchema.default({}),
  timeoutMs: z.number().int().min(100).max(60_000).default(10_000),
  /**
   * Sends the trusted identity of the caller as the header `X-Service-Identifier`, which the model cannot influence.
   */
  sendIdentifier: z.boolean().default(false),
});
export type HttpTool = z.infer<typeof settings>;

/** Calls an endpoint of the customer. */
export const httpKind = toolKind({
  settings,
  media: ["voice", "text"],
  reach: "request",
  parameters: ({ parameters }) => parameters,
});
