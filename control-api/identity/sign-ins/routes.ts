import type { Clock } from "@parley/shared/clock.ts";
import {
  authSessionParamsSchema,
  doneResponseSchema,
  refreshedResponseSchema,
  refreshSchema,
  sessionsResponseSchema,
} from "@parley/shared/contracts/accounts.ts";
import { AppError } from "@parley/shared/errors.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import { z } from "zod";
import type { Database } from "../../database/open.ts";
import { PUBLIC, SIGNED_IN } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { userOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, done, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../audit/audit.ts";
import { listSessions } from "./session-store.ts";
import { IDLE_MS, type SignIns } from "./sign-ins.ts";
import { JWKS_MAX_AGE_SECS, type SigningKeys } from "./signing-keys.ts";

const jwksSchema = z.object({ keys: z.array(z.record(z.string(), z.string())) });
const common = { tags: ["sign-in"] };

interface SignInParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly signIns: SignIns;
}

/** Refreshing, listing and ending sign-ins, and the keys that verify their tokens. */
export function tokenRoutes(
  app: Api,
  { identity, signingKeys }: { identity: SignInParts; signingKeys: SigningKeys },
): void {
  const { signIns, limits } = identity;
  app.get(
    "/.well-known/jwks.json",
    {
      config: { access: PUBLIC },
      schema: { ...common, summary: "Public keys of access tokens", response: responses(200, jwksSchema) },
    },
    async (_request, reply) =>
      reply.header("cache-control", `public, max-age=${JWKS_MAX_AGE_SECS}`).send(signingKeys.jwks()),
  );
  app.post(
    "/api/auth/refresh",
    {
      config: { access: PUBLIC },
      schema: {
        ...common,
        summary: "Exchange a refresh token for a new pair",
        body: refreshSchema,
        response: responses(200, refreshedResponseSchema),
      },
    },
    async (request, reply) => {
      await limits.take("refresh_per_address", addressBlock(request.ip));
      const { tokens } = await signIns.refresh(request.body.refreshToken, clientOf(request));
      return reply.header("cache-control", "no-store").send(success({ ...tokens, tokens }));
    },
  );
  sessionRoutes(app, identity);
}

function sessionRoutes(app: Api, identity: SignInParts): void {
  logoutRoute(app, identity);
  ownSessionRoutes(app, identity);
}

function logoutRoute(app: Api, { signIns, audit }: SignInParts): void {
  app.post(
    "/api/auth/logout",
    {
      config: { access: SIGNED_IN },
      schema: {
        ...common,
        summary: "End this sign-in at once",
        security: USER_SECURITY,
        response: responses(200, doneResponseSchema),
      },
    },
    async (request) => {
      const { userId, sessionId } = userOf(request);
      await signIns.end(userId, { reason: "logout", only: sessionId });
      await audit.write({
        action: "auth.sign_out",
        userId,
        client: clientOf(request),
        details: { sessionId },
      });
      return done("You are signed out.");
    },
  );
}

function ownSessionRoutes(app: Api, { database, clock, signIns, audit }: SignInParts): void {
  app.get(
    "/api/auth/sessions",
    {
      config: { access: SIGNED_IN },
      schema: {
        ...common,
        summary: "List own sign-ins",
        security: USER_SECURITY,
        response: responses(200, sessionsResponseSchema),
      },
    },
    async (request) => {
      const { userId, sessionId } = userOf(request);
      const rows = await listSessions(database, userId, {
        at: new Date(clock.wallMs()),
        usedSince: new Date(clock.wallMs() - IDLE_MS),
      });
      const sessions = rows.map((row) => ({
        id: row.id,
        current: row.id === sessionId,
        method: row.method,
        ip: row.ip,
        userAgent: row.user_agent,
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      }));
      return success({ sessions, total: sessions.length });
    },
  );
  app.delete(
    "/api/auth/sessions/:sessionId",
    {
      config: { access: SIGNED_IN },
      schema: {
        ...common,
        summary: "End one of the own sign-ins",
        security: USER_SECURITY,
        params: authSessionParamsSchema,
        response: responses(200, doneResponseSchema),
      },
    },
    async (request) => {
      const { userId } = userOf(request);
      const { sessionId } = request.params;
      if ((await signIns.end(userId, { reason: "revoked_by_user", only: sessionId })) === 0) {
        throw new AppError("not_found", "You have no such session.");
      }
      await audit.write({
        action: "auth.session_revoked",
        userId,
        client: clientOf(request),
        details: { sessionId },
      });
      return done("The sign-in is ended.");
    },
  );
}
