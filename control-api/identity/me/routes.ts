import { meSchema } from "@parley/shared/contracts/me.ts";
import { KEY_READS } from "../../http/access/rules.ts";
import { keyOf } from "../../http/plugins/access.ts";
import { type Api, KEY_SECURITY, responses } from "../../http/routes.ts";

/** `/api/v1/me`: tests a connection with the key. */
export function meRoutes(app: Api): void {
  app.get(
    "/api/v1/me",
    {
      config: { access: KEY_READS },
      schema: {
        tags: ["account"],
        summary: "Test the connection: whose key is this",
        security: KEY_SECURITY,
        response: responses(200, meSchema),
      },
    },
    async (request) => {
      const { orgId, orgName, keyId, name, role, lastFour } = keyOf(request);
      return { organization: { id: orgId, name: orgName }, key: { id: keyId, name, role, lastFour } };
    },
  );
}
