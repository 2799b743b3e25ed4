import {
  changePasswordSchema,
  deactivateSchema,
  doneResponseSchema,
  meResponseSchema,
  mfaDisableSchema,
  mfaSetupResponseSchema,
  mfaVerifySchema,
  otpSentResponseSchema,
  recoveryCodesResponseSchema,
  refreshSchema,
  resumedResponseSchema,
  verifyIdentifierSchema,
} from "@parley/shared/contracts/accounts.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import type { FastifyRequest } from "fastify";
import { PUBLIC, SIGNED_IN } from "../../http/access/rules.ts";
import { userOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, done, responses, success, USER_SECURITY } from "../../http/routes.ts";
import {
  changePassword,
  confirmMfa,
  deactivate,
  disableMfa,
  readMe,
  requestVerification,
  setUpMfa,
  verifyIdentifier,
} from "./account.ts";
import type { Identity } from "./identity.ts";

const common = { tags: ["account"], security: USER_SECURITY };
const config = { access: SIGNED_IN };

/** The routes of `/api/auth` about one's own account. */
export function accountRoutes(app: Api, identity: Identity): void {
  const here = (request: FastifyRequest) => ({ client: clientOf(request), identity });
  app.get(
    "/api/auth/me",
    {
      config,
      schema: { ...common, summary: "Read the own account", response: responses(200, meResponseSchema) },
    },
    async (request) => success(await readMe(userOf(request).userId, identity)),
  );
  resumeRoute(app, identity);
  app.post(
    "/api/auth/change-password",
    {
      config,
      schema: {
        ...common,
        summary: "Change the password",
        body: changePasswordSchema,
        response: responses(200, doneResponseSchema),
      },
    },
    async (request) => {
      await changePassword(request.body, userOf(request), here(request));
      return done("The password is changed; every other device is signed out.");
    },
  );
  app.post(
    "/api/auth/deactivate",
    {
      config,
      schema: {
        ...common,
        summary: "Deactivate the own account",
        body: deactivateSchema.nullish(),
        response: responses(200, doneResponseSchema),
      },
    },
    async (request) => {
      await deactivate(request.body?.password, userOf(request).userId, here(request));
      return done("The account is deactivated.");
    },
  );
  app.post(
    "/api/auth/verification/send",
    {
      config,
      schema: {
        ...common,
        summary: "Send the code that proves the identifier",
        response: responses(200, otpSentResponseSchema),
      },
    },
    async (request) => success(await requestVerification(userOf(request).userId, here(request))),
  );
  app.post(
    "/api/auth/verification",
    {
      config,
      schema: {
        ...common,
        summary: "Prove the identifier",
        body: verifyIdentifierSchema,
        response: responses(200, doneResponseSchema),
      },
    },
    async (request) => {
      await verifyIdentifier(request.body, userOf(request).userId, here(request));
      return done("The identifier is verified.");
    },
  );
  mfaRoutes(app, identity);
}

function mfaRoutes(app: Api, identity: Identity): void {
  app.post(
    "/api/auth/mfa/setup",
    {
      config,
      schema: {
        ...common,
        summary: "Begin to enroll a second factor",
        response: responses(200, mfaSetupResponseSchema),
      },
    },
    async (request, reply) =>
      reply
        .header("cache-control", "no-store")
        .send(success(await setUpMfa(userOf(request).userId, { client: clientOf(request), identity }))),
  );
  app.post(
    "/api/auth/mfa/verify",
    {
      config,
      schema: {
        ...common,
        summary: "Turn the second factor on",
        body: mfaVerifySchema,
        response: responses(200, recoveryCodesResponseSchema),
      },
    },
    async (request, reply) => {
      const place = { client: clientOf(request), identity };
      const recoveryCodes = await confirmMfa(request.body, userOf(request), place);
      return reply.header("cache-control", "no-store").send(success({ recoveryCodes }));
    },
  );
  app.post(
    "/api/auth/mfa/disable",
    {
      config,
      schema: {
        ...common,
        summary: "Turn the second factor off",
        body: mfaDisableSchema,
        response: responses(200, doneResponseSchema),
      },
    },
    async (request) => {
      const place = { client: clientOf(request), identity };
      await disableMfa(request.body, userOf(request).userId, place);
      return done("The second factor is off.");
    },
  );
}

/** What a page begins with: one request instead of `/api/auth/refresh` and `/api/auth/me`, one after the other. */
function resumeRoute(app: Api, identity: Identity): void {
  const { signIns, limits } = identity;
  app.post(
    "/api/auth/resume",
    {
      config: { access: PUBLIC },
      schema: {
        tags: ["sign-in"],
        summary: "Exchange a refresh token for a new pair, and read the own account",
        body: refreshSchema,
        response: responses(200, resumedResponseSchema),
      },
    },
    async (request, reply) => {
      await limits.take("refresh_per_address", addressBlock(request.ip));
      const { userId, tokens } = await signIns.refresh(request.body.refreshToken, clientOf(request));
      const me = await readMe(userId, identity);
      return reply.header("cache-control", "no-store").send(success({ tokens, me }));
    },
  );
}
