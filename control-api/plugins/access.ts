import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { KeyResolver } from "../access/key-resolver.ts";
import type { Principal } from "../access/principal.ts";
import { type AccessRule, assertAllowed, PUBLIC } from "../access/rules.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route. */
    access?: AccessRule;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

export interface AccessOptions {
  readonly keys: KeyResolver;
  /** Routes that other people's plugins make (files, documentation) and everybody may read. */
  readonly publicPrefixes: readonly string[];
}

/** Resolves each request's principal and holds it against the route's rule, before the body is read. */
export const accessPlugin = fp<AccessOptions>(async (app, { keys, publicPrefixes }) => {
  app.decorateRequest("principal", undefined);
  app.addHook("onRoute", (route) => {
    const isForeign = publicPrefixes.some((prefix) => route.url.startsWith(prefix));
    if (isForeign && route.config?.access === undefined) route.config = { ...route.config, access: PUBLIC };
    if (route.config?.access === undefined) {
      throw new Error(`the route ${String(route.method)} ${route.url} declares no access rule`);
    }
  });
  app.addHook("onRequest", async (request) => {
    const rule = request.routeOptions.config.access;
    if (request.is404 || rule === undefined || rule.allow === "public") return;
    request.principal = await keys.resolve(singleHeader(request, "x-api-key"));
    assertAllowed(rule, request.principal);
  });
});

/** The principal of a route whose rule is not public. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new AppError("unauthorized", "This route needs a credential.");
  return request.principal;
}

function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
