import { doneResponseSchema } from "@parley/shared/contracts/accounts.ts";
import {
  acceptInvitationSchema,
  invitationParamsSchema,
  invitationResponseSchema,
  invitationsResponseSchema,
  inviteSchema,
  orgParamsSchema,
  orgResponseSchema,
} from "@parley/shared/contracts/organizations.ts";
import { MEMBER_MANAGES, SIGNED_IN } from "../../http/access/rules.ts";
import { memberOf, userOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, done, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Identity } from "../accounts/identity.ts";
import { findOrganization } from "../memberships/store.ts";
import { byOf } from "./acting.ts";
import { acceptInvitation, invite, listInvitations, takeInvitationBack } from "./invitations.ts";

const common = { tags: ["organizations"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/invitations`, and following one. */
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
