import {
  DEMO_OWNER_EMAIL,
  idpParamsSchema,
  idpsResponseSchema,
  oidcCallbackSchema,
  oidcStartedResponseSchema,
  signedInResponseSchema,
} from "@parley/shared/contracts/accounts.ts";
import { PUBLIC } from "../../http/access/rules.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success } from "../../http/routes.ts";
import { finishOidc, type OidcDeps, startOidc } from "./sign-in.ts";

const common = { tags: ["sign-in"] };

/** `/api/auth/oidc`: signing in through identity providers. */
export function oidcRoutes(app: Api, deps: OidcDeps & { readonly hasDemo: boolean }): void {
  app.get(
    "/api/auth/oidc",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "List identity providers, and the demo's owner",
        response: responses(200, idpsResponseSchema),
      },
    },
    async () =>
      success({ providers: deps.providers.list(), demoOwner: deps.hasDemo ? DEMO_OWNER_EMAIL : null }),
  );
  app.post(
    "/api/auth/oidc/:idp/start",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "Begin a sign-in at a provider",
        params: idpParamsSchema,
        response: responses(200, oidcStartedResponseSchema),
      },
    },
    async (request) => success(await startOidc(request.params.idp, clientOf(request), deps)),
  );
  app.post(
    "/api/auth/oidc/:idp/callback",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "Finish a sign-in at a provider",
        params: idpParamsSchema,
        body: oidcCallbackSchema,
        response: responses(200, signedInResponseSchema),
      },
    },
    async (request, reply) => {
      const signedIn = await finishOidc(
        { ...request.body, idp: request.params.idp },
        clientOf(request),
        deps,
      );
      return reply.header("cache-control", "no-store").send(success(signedIn));
    },
  );
}
