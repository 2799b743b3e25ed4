import { doneResponseSchema } from "@parley/shared/contracts/accounts.ts";
import {
  acceptInvitationSchema,
  changeRoleSchema,
  createOrgSchema,
  invitationParamsSchema,
  invitationResponseSchema,
  invitationsResponseSchema,
  inviteSchema,
  memberParamsSchema,
  memberResponseSchema,
  membersResponseSchema,
  orgParamsSchema,
  orgResponseSchema,
  removedMemberResponseSchema,
  renameOrgSchema,
} from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { FastifyRequest } from "fastify";
import { MEMBER_MANAGES, ORG_LEAVES, ORG_READS, ORG_RENAMES, SIGNED_IN } from "../access/rules.ts";
import type { Identity } from "../accounts/identity.ts";
import { memberOf, userOf } from "../plugins/access.ts";
import { clientOf } from "../plugins/client.ts";
import { type Api, done, responses, success, USER_SECURITY } from "../routes.ts";
import { acceptInvitation, invite, listInvitations, takeInvitationBack } from "./invitations.ts";
import { type By, changeRole, listMembers, removeMember } from "./members.ts";
import { findOrganization, insertOrganization, renameOrganization } from "./store.ts";

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

function memberRoutes(app: Api, identity: Identity): void {
  app.get(
    "/api/orgs/:orgId/members",
    {
      config: { access: ORG_READS },
      schema: {
        ...common,
        summary: "List members",
        params: orgParamsSchema,
        response: responses(200, membersResponseSchema),
      },
    },
    async (request) => {
      const members = await listMembers(identity, memberOf(request).orgId);
      return success({ members, total: members.length });
    },
  );
  app.patch(
    "/api/orgs/:orgId/members/:userId",
    {
      config: { access: MEMBER_MANAGES },
      schema: {
        ...common,
        summary: "Change a member's role",
        params: memberParamsSchema,
        body: changeRoleSchema,
        response: responses(200, memberResponseSchema),
      },
    },
    async (request) => {
      const { userId } = request.params;
      return success(await changeRole({ userId, role: request.body.role }, byOf(request), identity));
    },
  );
  app.delete(
    "/api/orgs/:orgId/members/:userId",
    {
      config: { access: ORG_LEAVES },
      schema: {
        ...common,
        summary: "Remove a member, or leave",
        params: memberParamsSchema,
        response: responses(200, removedMemberResponseSchema),
      },
    },
    async (request) => success(await removeMember(request.params.userId, byOf(request), identity)),
  );
}

function invitationRoutes(app: Api, identity: Identity): void {
  app.get(
    "/api/orgs/:orgId/invitations",
    {
      config: { access: MEMBER_MANAGES },
      schema: {
        ...common,
        summary: "List open invitations",
        params: orgParamsSchema,
        response: responses(200, invitationsResponseSchema),
      },
    },
    async (request) => {
      const invitations = await listInvitations(memberOf(request).orgId, identity);
      return success({ invitations, total: invitations.length });
    },
  );
  app.post(
    "/api/orgs/:orgId/invitations",
    {
      config: { access: MEMBER_MANAGES },
      schema: {
        ...common,
        summary: "Invite by mail",
        params: orgParamsSchema,
        body: inviteSchema,
        response: responses(201, invitationResponseSchema),
      },
    },
    async (request, reply) =>
      reply.status(201).send(success(await invite(request.body, byOf(request), identity))),
  );
  app.delete(
    "/api/orgs/:orgId/invitations/:invitationId",
    {
      config: { access: MEMBER_MANAGES },
      schema: {
        ...common,
        summary: "Take an invitation back",
        params: invitationParamsSchema,
        response: responses(200, doneResponseSchema),
      },
    },
    async (request) => {
      await takeInvitationBack(request.params.invitationId, byOf(request), identity);
      return done("The invitation is taken back.");
    },
  );
  app.post(
    "/api/invitations/accept",
    {
      config: { access: SIGNED_IN },
      schema: {
        ...common,
        summary: "Accept an invitation",
        body: acceptInvitationSchema,
        response: responses(200, orgResponseSchema),
      },
    },
    async (request) => {
      const joined = await acceptInvitation(request.body.token, userOf(request).userId, {
        client: clientOf(request),
        identity,
      });
      const org = await findOrganization(identity.database, joined.id);
      return success({ ...joined, createdAt: (org?.createdAt ?? new Date(0)).toISOString() });
    },
  );
}

async function readOrg(request: FastifyRequest, { database }: Pick<Identity, "database">) {
  const { orgId, role } = memberOf(request);
  const org = await findOrganization(database, orgId);
  if (!org) throw new AppError("not_found", "The organization is gone.");
  return { id: org.id, name: org.name, role, createdAt: org.createdAt.toISOString() };
}

function byOf(request: FastifyRequest): By {
  return { actor: memberOf(request), client: clientOf(request) };
}
