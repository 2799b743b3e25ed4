import type { Clock } from "@parley/shared/clock.ts";
import {
  readVaultSchema,
  vaultParamsSchema,
  vaultValueResponseSchema,
} from "@parley/shared/contracts/pii-vault.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { PII_MANAGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { DataKeys } from "../../sealed/data-keys.ts";
import { openVault } from "./store.ts";

export interface VaultRoutesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly dataKeys: DataKeys;
}

/** `POST /api/orgs/{orgId}/pii-vault/{id}/read`: owners and admins give a reason, audited before they see the value. */
export function vaultRoutes(app: Api, { database, clock, audit, dataKeys }: VaultRoutesDeps): void {
  app.post(
    "/api/orgs/:orgId/pii-vault/:id/read",
    {
      config: { access: PII_MANAGES },
      schema: {
        tags: ["calls"],
        summary: "Read personal data that a call collected, and say why",
        security: USER_SECURITY,
        params: vaultParamsSchema,
        body: readVaultSchema,
        response: responses(200, vaultValueResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const { id } = request.params;
      const found = await openVault(database, { orgId, id, now: new Date(clock.wallMs()) }, dataKeys);
      if (!found)
        throw new AppError("not_found", "There is no such value in the vault; it may have been deleted.");
      const { value, sessionId, ruleSlug } = found;
      await audit.write({
        action: "pii_vault.read",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { id, sessionId, ruleSlug, reason: request.body.reason },
      });
      reply.header("cache-control", "no-store");
      return success({ id, value });
    },
  );
}
