import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

/** Every query of a list: what any contract exports that has a `limit`. */
async function listQueries(): Promise<[string, z.ZodObject][]> {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, import.meta.url).href) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((exports) => Object.entries(exports))
    .flatMap(([name, schema]): [string, z.ZodObject][] =>
      schema instanceof z.ZodObject && Object.hasOwn(schema.shape, "limit") ? [[name, schema]] : [],
    );
}

it("takes ?limit= without a value as no limit given, in every list", async () => {
  const queries = await listQueries();
  expect(queries.length).toBeGreaterThan(8);
  for (const [name, schema] of queries) {
    const sought = Object.hasOwn(schema.shape, "query") ? { query: "opening hours" } : {};
    const limitOf = (query: object) =>
      z.object({ limit: z.int() }).parse(schema.parse({ ...sought, ...query })).limit;
    expect(limitOf({ limit: "" }), name).toBe(limitOf({}));
    expect(limitOf({ limit: "7" }), name).toBe(7);
    const described = z.toJSONSchema(schema, { io: "input" });
    expect(described.required ?? [], name).not.toContain("limit");
    expect(described.properties?.limit, name).toMatchObject({ description: `${limitOf({})} when absent.` });
  }
});
