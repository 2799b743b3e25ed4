import {
  createOrgSchema,
  orgParamsSchema,
  orgResponseSchema,
  renameOrgSchema,
} from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { FastifyRequest } from "fastify";
import { ORG_READS, ORG_RENAMES, SIGNED_IN } from "../../http/access/rules.ts";
import { memberOf, userOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Identity } from "../accounts/identity.ts";
import { findOrganization, insertOrganization, renameOrganization } from "../memberships/store.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { memberRoutes } from "./member-routes.ts";

const common = { tags: ["organizations"], security: USER_SECURITY };

/** `/api/orgs`: organizations, their members, and who is invited. */
export function orgRoutes(app: Api, identity: Identity): void {
  organizationRoutes(app, identity);
  memberRoutes(app, identity);
  invitationRoutes(app, identity);
}

function organizationRoutes(app: Api, identity: Identity): void {
  const { database, clock, changes, audit } = identity;
  app.post(
    "/api/orgs",
    {
      config: { access: SIGNED_IN },
      schema: {
        ...common,
        summary: "Create an organization",
        body: createOrgSchema,
        response: responses(201, orgResponseSchema),
      },
    },
    async (request, reply) => {
      const { userId } = userOf(request);
      const org = { id: newId("org"), name: request.body.name };
      await identity.limits.take("organizations_per_user", userId);
      const at = new Date(clock.wallMs());
      await database.db
        .transaction()
        .execute((trx) => insertOrganization(trx, { ...org, ownerId: userId, at }));
      await changes.announce({ userId });
      await audit.write({ action: "organization.created", orgId: org.id, userId, client: clientOf(request) });
      return reply.status(201).send(success({ ...org, role: "owner" as const, createdAt: at.toISOString() }));
    },
  );
  app.get(
    "/api/orgs/:orgId",
    {
      config: { access: ORG_READS },
      schema: {
        ...common,
        summary: "Read an organization",
        params: orgParamsSchema,
        response: responses(200, orgResponseSchema),
      },
    },
    async (request) => success(await readOrg(request, identity)),
  );
  app.patch(
    "/api/orgs/:orgId",
    {
      config: { access: ORG_RENAMES },
      schema: {
        ...common,
        summary: "Rename an organization",
        params: orgParamsSchema,
        body: renameOrgSchema,
        response: responses(200, orgResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      await renameOrganization(database, orgId, request.body.name);
      await audit.write({
        action: "organization.renamed",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
      });
      return success(await readOrg(request, identity));
    },
  );
}

async function readOrg(request: FastifyRequest, { database }: Pick<Identity, "database">) {
  const { orgId, role } = memberOf(request);
  const org = await findOrganization(database, orgId);
  if (!org) throw new AppError("not_found", "The organization no longer exists.");
  return { id: org.id, name: org.name, role, createdAt: org.createdAt.toISOString() };
}
