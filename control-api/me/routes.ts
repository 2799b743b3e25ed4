import { meSchema } from "@parley/shared/contracts/me.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError } from "@parley/shared/errors.ts";
import { READ } from "../access/rules.ts";
import { principalOf } from "../plugins/access.ts";
import { type Api, KEY_SECURITY, responses } from "../routes.ts";
import { describeKey } from "./store.ts";

/** `/api/v1/me`: a connection test with the key. */
export function meRoutes(app: Api, { database }: { database: Database }): void {
  app.get(
    "/api/v1/me",
    {
      config: { access: READ },
      schema: {
        tags: ["account"],
        summary: "Test the connection: whose key is this",
        security: KEY_SECURITY,
        response: responses(200, meSchema),
      },
    },
    async (request) => {
      const me = await describeKey(database, principalOf(request).keyId);
      if (!me) throw new AppError("unauthorized", "The API key does not exist any more.");
      return me;
    },
  );
}
