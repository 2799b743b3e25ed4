import { clientTokenResponseSchema, mintClientTokenSchema } from "@parley/shared/contracts/client-tokens.ts";
import { WRITES } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { mintClientToken } from "./client-tokens.ts";

/** `POST /api/client-tokens`: for servers, whose browsers and apps then make one call each. */
export function clientTokenRoutes(app: Api, deps: Parameters<typeof mintClientToken>[2]): void {
  app.post(
    "/api/client-tokens",
    {
      config: { access: WRITES },
      schema: {
        tags: ["sessions"],
        summary: "Mint a token for one web call, or for one chat",
        security: KEY_OR_USER_SECURITY,
        body: mintClientTokenSchema,
        response: responses(201, clientTokenResponseSchema),
      },
    },
    async (request, reply) => {
      const minted = await mintClientToken(
        request.body,
        { minter: actorOf(request), client: clientOf(request) },
        deps,
      );
      return reply.status(201).header("cache-control", "no-store").send(success(minted));
    },
  );
}
