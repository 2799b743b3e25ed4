import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { KeyPrincipal, MemberPrincipal, Principal, UserPrincipal } from "../access/principal.ts";
import { type Resolvers, resolvePrincipal } from "../access/resolve-principal.ts";
import { type AccessRule, PUBLIC } from "../access/rules.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route. */
    access?: AccessRule;
    /** Other sites may frame the page, under its own policy. */
    mayBeEmbedded?: boolean;
  }
  interface FastifyInstance {
    /** `METHOD /pattern` of every route with a rule. */
    registeredRoutes: readonly string[];
  }
  interface FastifyRequest {
    principal: Principal | undefined;
    /**
     * Checks that what the credential stands for still opens the route; throws as for a new request, except that an
     * access token may have expired since. Only for routes with a rule.
     */
    recheckAccess: (() => Promise<Principal>) | undefined;
  }
}

export interface AccessOptions extends Resolvers {
  /** Prefixes of third-party plugins' routes (files, documentation), which everybody may read. */
  readonly publicPrefixes: readonly string[];
}

/** Resolves each request's principal and checks it against the route's rule, before the body is read. */
export const accessPlugin = fp<AccessOptions>(async (app, { publicPrefixes, ...resolvers }) => {
  app.decorateRequest("principal", undefined);
  app.decorateRequest("recheckAccess", undefined);
  const registered: string[] = [];
  app.decorate("registeredRoutes", registered);
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) registered.push(`${method} ${route.url}`);
    const isForeign = publicPrefixes.some((prefix) => route.url.startsWith(prefix));
    if (isForeign && route.config?.access === undefined) route.config = { ...route.config, access: PUBLIC };
    if (route.config?.access === undefined) {
      throw new Error(`the route ${String(route.method)} ${route.url} declares no access rule`);
    }
  });
  app.addHook("onRequest", async (request) => {
    const rule = request.routeOptions.config.access;
    if (request.is404 || rule === undefined || rule.allow === "public") return;
    const params = request.params as { orgId?: string };
    const presented = {
      apiKey: singleHeader(request, "x-api-key"),
      authorization: singleHeader(request, "authorization"),
      orgIdHeader: singleHeader(request, "x-org-id"),
      orgIdInPath: params.orgId,
    };
    request.recheckAccess = () => resolvePrincipal(rule, { ...presented, isUnderWay: true }, resolvers);
    request.principal = await resolvePrincipal(rule, presented, resolvers);
  });
  app.addHook("onResponse", async ({ principal }, reply) => {
    if (principal?.kind === "key" && reply.statusCode < 400) resolvers.keys.markUsed(principal);
  });
});

/** The key or member acting in an organization. */
export function actorOf(request: FastifyRequest): KeyPrincipal | MemberPrincipal {
  const { principal } = request;
  if (principal?.kind === "key" || principal?.kind === "member") return principal;
  throw new AppError("unauthorized", "This route needs an API key or a member's access token.");
}

/** The key, on routes that only accept keys. */
export function keyOf(request: FastifyRequest): KeyPrincipal {
  const { principal } = request;
  if (principal?.kind === "key") return principal;
  throw new AppError("unauthorized", "This route needs an API key.");
}

/** The hashed client token, on routes that accept no other credential. */
export function clientTokenOf(request: FastifyRequest): string {
  const { principal } = request;
  if (principal?.kind === "client") return principal.tokenHash;
  throw new AppError("unauthorized", "This route needs a client token.");
}

/** The hashed key of an app's backend, on routes that accept no other credential. */
export function appKeyOf(request: FastifyRequest): string {
  const { principal } = request;
  if (principal?.kind === "app") return principal.secretHash;
  throw new AppError("unauthorized", "This route needs an app's key.");
}

/** The member, on routes in an organization that only accept users. */
export function memberOf(request: FastifyRequest): MemberPrincipal {
  const { principal } = request;
  if (principal?.kind === "member") return principal;
  throw new AppError("unauthorized", "This route needs a member's access token.");
}

/** The user, on routes about their own account. */
export function userOf(request: FastifyRequest): UserPrincipal {
  const { principal } = request;
  if (principal?.kind === "user") return principal;
  throw new AppError("unauthorized", "This route needs an access token.");
}

/** Node takes the first of repeated headers, or joins them; a proxy in front may have read another. */
function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  if (typeof value !== "string" || value === "") return undefined;
  const times = timesSent(request.raw.rawHeaders, name);
  if (times > 1)
    throw new AppError("bad_request", `The header ${name} was sent ${times} times; send it once.`);
  return value;
}

/** `rawHeaders` alternates names and values, as sent. */
function timesSent(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) times += 1;
  }
  return times;
}
