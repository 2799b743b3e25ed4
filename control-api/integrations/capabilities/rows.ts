import { z } from "zod";
import { capability, text } from "./capability.ts";

const cell = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);

export const rows = {
  "row.query": capability({
    name: "Read rows",
    description: "Runs a query or reads a range that was named in the connection's settings.",
    isWrite: false,
    arguments: z.strictObject({
      name: text(64).describe("The name of the query or range"),
      params: z.record(z.string().max(64), cell).default({}).describe("The query's parameters by name"),
    }),
    result: z.object({
      columns: z.array(z.string()),
      rows: z.array(z.array(cell)),
      /** More rows exist. */
      truncated: z.boolean(),
    }),
  }),
  "row.append": capability({
    name: "Append a row",
    description: "Appends a row to a sheet that was named in the connection's settings.",
    isWrite: true,
    arguments: z.strictObject({ name: text(64), values: z.array(cell).min(1).max(100) }),
    result: z.object({ range: z.string() }),
  }),
};
