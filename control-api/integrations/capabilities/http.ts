import { z } from "zod";
import { capability, text } from "./capability.ts";

export const http = {
  "http.request": capability({
    name: "Call an HTTP route",
    description: "Calls one of the routes that were named in the connection's settings.",
    isWrite: true,
    arguments: z.strictObject({
      route: text(64).describe("The route's name"),
      params: z
        .record(z.string().max(64), z.union([z.string().max(10_000), z.number(), z.boolean()]))
        .default({}),
    }),
    result: z.object({ status: z.int(), body: z.unknown() }),
  }),
};
