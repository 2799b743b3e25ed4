import { noticesResponseSchema } from "@parley/shared/contracts/notices.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { ORG_READS } from "../http/access/rules.ts";
import { memberOf } from "../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../http/routes.ts";
import type { ComposedModules } from "../modules/compose-modules.ts";
import type { Module } from "../modules/module.ts";

/** What does not work in an organization, gathered from all districts for the bell that every page has. */
export function openNotices({ all }: { readonly all: Pick<ComposedModules, "troubles"> }): Module {
  return {
    name: "notices",
    routes: (app: Api) => {
      app.get(
        "/api/orgs/:orgId/notices",
        {
          config: { access: ORG_READS },
          schema: {
            tags: ["organizations"],
            security: USER_SECURITY,
            summary: "List what does not work in the organization and needs a person",
            params: orgParamsSchema,
            response: responses(200, noticesResponseSchema),
          },
        },
        async (request) => success({ notices: [...(await all.troubles(memberOf(request)))] }),
      );
    },
  };
}
