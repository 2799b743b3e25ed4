import type { AccessRule } from "../../access/rules.ts";
import { operationIdOf } from "./operation-ids.ts";

type Json = Record<string, unknown>;

/** A route's declarations, with schemas as JSON Schema. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  readonly access: AccessRule | undefined;
  readonly schema: Json;
}

const ERROR = { $ref: "#/components/schemas/ErrorBody" };
const ORG_HEADER = "X-Org-Id";

/** Adds to a route's own schemas its operation id, who may call it, and what follows from that. */
export function operationOf({ method, path, access, schema }: DocumentedRoute): Json {
  const { produces, consumes, ...own } = schema;
  const types = listOf(produces);
  const uploads = listOf(consumes);
  return {
    ...own,
    operationId: operationIdOf(method, path),
    security: securityOf(access),
    ...headersOf(access, own.headers as Json | undefined),
    ...(uploads.length > 0 && own.body === undefined ? { consumes: uploads, body: BINARY } : {}),
    response: {
      ...(own.response as Json | undefined),
      ...mediaOf(types, own.response as Json | undefined),
      ...errors(),
    },
  };
}

/** Derived from the rule that the server enforces; each entry is one way in. */
function securityOf(access: AccessRule | undefined): Json[] {
  if (access === undefined || access.allow === "public") return [];
  return [
    ...(access.key ? [{ apiKey: [] }] : []),
    ...(access.user ? [{ accessToken: [] }] : []),
    ...(access.client ? [{ clientToken: [] }] : []),
    ...(access.app ? [{ appKey: [] }] : []),
  ];
}

/** Users name the organization they act in; ignored with a key. */
function headersOf(access: AccessRule | undefined, headers: Json | undefined): { headers?: Json } {
  if (access?.allow !== "credential" || !access.user || access.org === "none")
    return headers ? { headers } : {};
  const isForUsersOnly = !access.key && !access.client;
  const header = {
    type: "string",
    description: isForUsersOnly
      ? "The organization you act in."
      : "The organization you act in. Required with an access token, ignored with an API key.",
    examples: ["org_0190f3"],
  };
  const properties = { ...(headers?.properties as Json | undefined), [ORG_HEADER]: header };
  const required = [...listOf(headers?.required), ...(isForUsersOnly ? [ORG_HEADER] : [])];
  return { headers: { type: "object", ...headers, properties, required } };
}

const BINARY = { type: "string", format: "binary" };
const EVENTS = { type: "string", description: "Server-sent events (text/event-stream)." };

/** Streams and downloads, which have no schema of ours. */
function mediaOf(types: readonly string[], response: Json | undefined): Json {
  if (types.length === 0) return {};
  const schemas: Json = { "application/json": response?.["200"], "text/event-stream": EVENTS };
  const content = Object.fromEntries(types.map((type) => [type, { schema: schemas[type] ?? BINARY }]));
  const whole = { 200: { description: DESCRIPTIONS["200"], content } };
  if (!types.includes("audio/wav")) return whole;
  const none = { type: "null", description: "The range that was asked for is outside of the file." };
  return { ...whole, 206: { description: "The part of the file that was asked for.", content }, 416: none };
}

function errors(): Json {
  return { "4xx": ERROR, "5xx": ERROR };
}

/** The meaning of an answer, by status. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "200": "The request succeeded.",
  "201": "It was created.",
  "202": "It was accepted and is carried out.",
  "4XX":
    "The request was refused. `error` says what to change, `code` is stable, `details.fields` names fields.",
  "5XX": "The service failed or is unavailable. A 503 has Retry-After.",
};

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
