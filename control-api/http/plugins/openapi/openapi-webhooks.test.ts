import { EVENT_CATALOG, EVENT_NAMES } from "@parley/shared/contracts/event-catalog/catalog.ts";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { z } from "zod";
import { openapiPlugin } from "./openapi.ts";

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody: {
    readonly content: { readonly "application/json": { schema: object; example: object } };
  };
}

it("has every event of the catalog among the webhooks of the OpenAPI document, fields and values described", async () => {
  const app = Fastify();
  await app.register(openapiPlugin, { baseUrl: () => "http://127.0.0.1" });
  await app.ready();
  const document = app.swagger() as unknown as {
    openapi: string;
    webhooks: Record<string, { post: Operation }>;
  };
  await app.close();
  expect(document.openapi).toMatch(/^3\.1/);
  expect(Object.keys(document.webhooks)).toEqual(EVENT_NAMES);
  const operations = Object.entries(document.webhooks).map(([name, { post }]) => ({ name, ...post }));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(EVENT_NAMES.length);
  for (const { name, requestBody, parameters, security } of operations) {
    const { schema, example } = requestBody.content["application/json"];
    // A validator that reads the document takes what is sent, also with a field that comes later.
    const reader = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    expect(reader.safeParse({ ...example, later: 1 }).success, name).toBe(true);
    expect(reader.safeParse({ ...example, occurredAt: 5 }).success, name).toBe(false);
    expect(parameters.map((header) => header.name)).toContain("webhook-signature");
    expect(security).toEqual([]);
  }
  const ended = document.webhooks["call.ended"]?.post.requestBody.content["application/json"];
  expect(ended?.example).toEqual(EVENT_CATALOG["call.ended"].sample);
  expect(ended?.schema).toMatchObject({
    properties: {
      endReason: { "x-values": { isOpen: true, meanings: { max_duration: expect.any(String) } } },
      direction: { description: expect.stringContaining("who called whom") },
    },
  });
});
