import { consentLinkSchema } from "@parley/shared/contracts/consents.ts";
import { PUBLIC, WRITERS } from "../http/access/rules.ts";
import { clientOf } from "../http/plugins/client.ts";
import type { Api } from "../http/routes.ts";
import { CALLBACK_PATH, CONNECTION_CONSENT, LINK_PATH, returnAddress } from "./connections/authorize.ts";
import { keepConsent } from "./connections/consented.ts";
import type { IntegrationParts } from "./deps.ts";
import { openConsent } from "./oauth/consent.ts";
import { consentCallback, consentCookie, cookiesOf, refuseConsent } from "./oauth/consent-callback.ts";

/** The browser's routes of a consent: the link requested by a key, and the callback from the vendor. */
export function integrationConsentRoutes(app: Api, parts: IntegrationParts): void {
  app.get(
    LINK_PATH,
    { config: { access: PUBLIC }, schema: { hide: true, querystring: consentLinkSchema } },
    async (request, reply) => {
      reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
      try {
        const link = { ...request.query, kind: CONNECTION_CONSENT, cookie: cookiesOf(request) };
        const begun = await openConsent(link, parts.consents);
        reply.header("set-cookie", consentCookie(begun, parts.baseUrl()));
        return reply.redirect(begun.authorizeUrl, 303);
      } catch (error) {
        return refuseConsent(reply, error);
      }
    },
  );
  const end = {
    kind: CONNECTION_CONSENT,
    roles: WRITERS,
    path: CALLBACK_PATH,
    land: async (...[consented, request]: Parameters<Parameters<typeof consentCallback>[1]["land"]>) => {
      await keepConsent(consented, clientOf(request), parts);
      return returnAddress(consented.flow.connectionId, parts);
    },
  };
  consentCallback(app, end, { ...parts.consents, dispatchers: parts.network.dispatchers });
}
