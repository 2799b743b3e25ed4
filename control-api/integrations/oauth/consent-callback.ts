import { consentCallbackSchema } from "@parley/shared/contracts/consents.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { PUBLIC } from "../../http/access/rules.ts";
import type { Api } from "../../http/routes.ts";
import { CONSENT_MS, type ConsentDeps, type Consented, cookieOf, finishConsent } from "./consent.ts";
import { consentPage, readCookie } from "./consent-page.ts";

/** A consent's callback: its kind, path and handler. */
export interface ConsentEnd {
  readonly kind: string;
  /** Roles of those who may complete it. */
  readonly roles: readonly Role[];
  readonly path: string;
  /** Stores the tokens. Returns where to redirect the browser; undefined: a page that says it is done. */
  readonly land: (consented: Consented, request: FastifyRequest) => Promise<string | undefined>;
}

type CallbackDeps = ConsentDeps & { readonly dispatchers: Dispatchers };

/** The vendor's callback route: its only credentials are the signed state and the browser's cookie. */
export function consentCallback(app: Api, { kind, roles, path, land }: ConsentEnd, deps: CallbackDeps): void {
  app.get(
    path,
    { config: { access: PUBLIC }, schema: { hide: true, querystring: consentCallbackSchema } },
    async (request, reply) => {
      reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
      try {
        const callback = { ...request.query, kind, roles, cookie: cookiesOf(request) };
        const next = await land(await finishConsent(callback, deps), request);
        if (next !== undefined) return reply.redirect(next, 303);
        return page(reply, { isDone: true, text: "You are signed in. You can close this window." });
      } catch (error) {
        return refuseConsent(reply, error);
      }
    },
  );
}

/** Answers expected errors with a page; rethrows our own faults. */
export function refuseConsent(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof AppError)) throw error;
  return page(reply.status(400), { isDone: false, text: error.message });
}

/** Reads the browser's cookies by name. */
export function cookiesOf({ headers: { cookie } }: FastifyRequest): (name: string) => string | undefined {
  return (name) => readCookie(cookie, name);
}

/** The `set-cookie` value that binds a consent to its browser. */
export function consentCookie(
  { state, browserSecret }: { readonly state: string; readonly browserSecret: string },
  baseUrl: string,
): string {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `${cookieOf(state)}=${browserSecret}; Path=/api/public; Max-Age=${CONSENT_MS / 1_000}; HttpOnly; SameSite=Lax${secure}`;
}

function page(reply: FastifyReply, shown: Parameters<typeof consentPage>[0]): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(consentPage(shown));
}
