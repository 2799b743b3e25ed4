import { doneResponseSchema } from "@parley/shared/contracts/accounts.ts";
import {
  acceptInvitationSchema,
  invitationParamsSchema,
  invitationResponseSchema,
  invitationsResponseSchema,
  inviteSchema,
  orgParamsSchema,
  orgResponseSchema,
  ownInvitationParamsSchema,
  readInvitationResponseSchema,
} from "@parley/shared/contracts/organizations.ts";
import type { FastifyRequest } from "fastify";
import { MEMBER_MANAGES, PUBLIC, SIGNED_IN } from "../../http/access/rules.ts";
import { memberOf, userOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, done, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Identity } from "../accounts/identity.ts";
import { findOrganization } from "../memberships/store.ts";
import { byOf } from "./acting.ts";
import {
  type Accepted,
  acceptInvitation,
  invite,
  listInvitations,
  showInvitation,
  takeInvitationBack,
} from "./invitations.ts";

const common = { tags: ["organizations"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/invitations`, and accepting one. */
export function invitationRoutes(app: Api, identity: Identity): void {
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
  acceptRoutes(app, identity);
}

function acceptRoutes(app: Api, identity: Identity): void {
  app.post(
    "/api/invitations/read",
    {
      config: { access: PUBLIC },
      schema: {
        tags: common.tags,
        summary: "Read the invitation whose token a mail has",
        body: acceptInvitationSchema,
        response: responses(200, readInvitationResponseSchema),
      },
    },
    async (request) => success(await showInvitation(request.body.token, clientOf(request), identity)),
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
    async (request) => success(await join(request.body, request, identity)),
  );
  app.post(
    "/api/invitations/:invitationId/accept",
    {
      config: { access: SIGNED_IN },
      schema: {
        ...common,
        summary: "Accept an invitation to the own verified address, as listed by GET /api/auth/me",
        params: ownInvitationParamsSchema,
        response: responses(200, orgResponseSchema),
      },
    },
    async (request) => success(await join({ id: request.params.invitationId }, request, identity)),
  );
}

async function join(accepted: Accepted, request: FastifyRequest, identity: Identity) {
  const client = clientOf(request);
  const joined = await acceptInvitation(accepted, userOf(request).userId, { client, identity });
  const org = await findOrganization(identity.database, joined.id);
  return { ...joined, createdAt: (org?.createdAt ?? new Date(0)).toISOString() };
}
