import type { OpenAPIV3_1 } from "openapi-types";
import { EXAMPLES } from "./examples.ts";
import { DESCRIPTIONS } from "./operation.ts";

export type OpenApiDocument = Partial<OpenAPIV3_1.Document>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** Finishes the document: adds the server's address and descriptions of answers, drops unused components. */
export function finished(document: OpenApiDocument, serverUrl: string): OpenApiDocument {
  const paths = Object.values(document.paths ?? {});
  const operations = paths.flatMap((path) =>
    METHODS.map((method) => path?.[method]).filter((found) => found !== undefined),
  );
  for (const operation of operations) {
    describe(operation);
    tellDefaults(operation.requestBody);
  }
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const example = EXAMPLES[name.replace(/Input$/, "")];
    if (example !== undefined) Object.assign(schema, { examples: [example] });
    if (name.endsWith("Input")) tellDefaults(schema);
    unwrapOnlyChoices(schema);
  }
  return {
    ...document,
    servers: [{ url: serverUrl, description: "This installation" }],
    components: { ...document.components, schemas: usedSchemas(document) },
  };
}

function describe({ responses }: OpenAPIV3_1.OperationObject): void {
  for (const [status, response] of Object.entries(responses ?? {})) {
    const words = DESCRIPTIONS[status];
    if (words !== undefined && "description" in response && response.description === "Default Response")
      response.description = words;
  }
}

/**
 * Moves defaults of request fields into prose: type generators treat a field with a `default` as always present, and
 * would require it in every request.
 */
function tellDefaults(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  const known = schema as Record<string, unknown>;
  if ("type" in known && known.default !== undefined) {
    const words = `Default: ${JSON.stringify(known.default)}.`;
    known.description = typeof known.description === "string" ? `${known.description} ${words}` : words;
    delete known.default;
  }
  for (const [key, value] of Object.entries(known)) if (key !== "examples") tellDefaults(value);
}

/** Replaces a choice of one, from a union that has a single kind so far, by its only member. */
function unwrapOnlyChoices(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  const known = schema as Record<string, unknown>;
  if (Array.isArray(known.oneOf) && known.oneOf.length === 1) {
    Object.assign(known, known.oneOf[0]);
    delete known.oneOf;
  }
  for (const [key, value] of Object.entries(known)) if (key !== "examples") unwrapOnlyChoices(value);
}

type Schemas = NonNullable<OpenAPIV3_1.ComponentsObject["schemas"]>;

/** The schemas that operations refer to, directly or indirectly. */
function usedSchemas({ paths, components }: OpenApiDocument): Schemas {
  const all = components?.schemas ?? {};
  const used: Schemas = {};
  const left = referredBy(paths);
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const schema = all[name];
    if (schema === undefined || name in used) continue;
    used[name] = schema;
    left.push(...referredBy(schema));
  }
  return Object.fromEntries(Object.entries(used).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function referredBy(value: unknown): string[] {
  const references = JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return [...references].map(([, name]) => name ?? "");
}
