import {
  changeRoleSchema,
  memberParamsSchema,
  memberResponseSchema,
  membersResponseSchema,
  orgParamsSchema,
  removedMemberResponseSchema,
} from "@parley/shared/contracts/organizations.ts";
import { MEMBER_MANAGES, ORG_LEAVES, ORG_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Identity } from "../accounts/identity.ts";
import { byOf } from "./acting.ts";
import { changeRole, listMembers, removeMember } from "./members.ts";

const common = { tags: ["organizations"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/members`. */
export function memberRoutes(app: Api, identity: Identity): void {
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
