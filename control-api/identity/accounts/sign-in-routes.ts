import {
  doneResponseSchema,
  forgotPasswordSchema,
  identifierOf,
  loginOtpSchema,
  loginSchema,
  lookupResponseSchema,
  lookupSchema,
  mfaChallengeSchema,
  otpResendSchema,
  otpSentResponseSchema,
  otpVerifiedResponseSchema,
  otpVerifySchema,
  registeredResponseSchema,
  registerSchema,
  resetPasswordSchema,
  signedInResponseSchema,
} from "@parley/shared/contracts/accounts.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import type { FastifyReply } from "fastify";
import { PUBLIC } from "../../http/access/rules.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, done, responses, success } from "../../http/routes.ts";
import { evenAnswer } from "./even-answer.ts";
import type { Identity } from "./identity.ts";
import { forgotPassword, resetPassword } from "./recover.ts";
import { lookUp, register } from "./register.ts";
import { requestCode, signInWithCode, signInWithMfaToken, signInWithPassword } from "./sign-in.ts";

const common = { tags: ["sign-in"] };
const config = { access: PUBLIC };

/** The routes of `/api/auth` that need no credential. */
export function signInRoutes(app: Api, identity: Identity): void {
  lookupAndRegister(app, identity);
  passwordRoutes(app, identity);
  codeRoutes(app, identity);
  recoveryRoutes(app, identity);
}

function lookupAndRegister(app: Api, identity: Identity): void {
  app.post(
    "/api/auth/lookup",
    {
      config,
      schema: {
        ...common,
        summary: "Find the second step of a sign-in",
        body: lookupSchema,
        response: responses(200, lookupResponseSchema),
      },
    },
    async (request) => success(await lookUp(identifierOf(request.body), clientOf(request), identity)),
  );
  app.post(
    "/api/auth/register",
    {
      config,
      schema: {
        ...common,
        summary: "Create an account",
        body: registerSchema,
        response: responses(201, registeredResponseSchema),
      },
    },
    async (request, reply) => {
      const { password, name, organizationName, invitationToken } = request.body;
      const identifier = identifierOf(request.body);
      const registered = await register(
        { identifier, password, name, organizationName, invitationToken },
        clientOf(request),
        identity,
      );
      return secret(reply.status(201)).send(success(registered));
    },
  );
}

function passwordRoutes(app: Api, identity: Identity): void {
  app.post(
    "/api/auth/login",
    {
      config,
      schema: {
        ...common,
        summary: "Sign in with a password",
        body: loginSchema,
        response: responses(200, signedInResponseSchema),
      },
    },
    async (request, reply) => {
      const { password, totpCode, recoveryCode } = request.body;
      const input = { identifier: identifierOf(request.body), password, totpCode, recoveryCode };
      return secret(reply).send(success(await signInWithPassword(input, clientOf(request), identity)));
    },
  );
  app.post(
    "/api/auth/mfa/challenge",
    {
      config,
      schema: {
        ...common,
        summary: "Sign in with a second factor",
        body: mfaChallengeSchema,
        response: responses(200, signedInResponseSchema),
      },
    },
    async (request, reply) => {
      const { password = "", mfaToken, code: totpCode, recoveryCode } = request.body;
      const signedIn =
        mfaToken === undefined
          ? await signInWithPassword(
              { identifier: identifierOf(request.body), password, totpCode, recoveryCode },
              clientOf(request),
              identity,
            )
          : await signInWithMfaToken({ mfaToken, totpCode, recoveryCode }, clientOf(request), identity);
      return secret(reply).send(success(signedIn));
    },
  );
}

function codeRoutes(app: Api, identity: Identity): void {
  const response = responses(200, otpSentResponseSchema);
  app.post(
    "/api/auth/login-otp",
    { config, schema: { ...common, summary: "Send a one-time code", body: loginOtpSchema, response } },
    async (request) =>
      success(await evenAnswer(() => requestCode(identifierOf(request.body), clientOf(request), identity))),
  );
  app.post(
    "/api/auth/login-otp/resend",
    {
      config,
      schema: {
        ...common,
        summary: "Send another code for the same request",
        body: otpResendSchema,
        response,
      },
    },
    async (request) => {
      await identity.limits.take("code_sends_per_address", addressBlock(request.ip));
      return success(await evenAnswer(() => identity.codes.resend(request.body.requestId)));
    },
  );
  app.post(
    "/api/auth/login-otp/verify",
    {
      config,
      schema: {
        ...common,
        summary: "Sign in with a one-time code",
        body: otpVerifySchema,
        response: responses(200, otpVerifiedResponseSchema),
      },
    },
    async (request, reply) => {
      const signedIn = await signInWithCode(request.body, clientOf(request), identity);
      return secret(reply).send(
        success(signedIn ? { status: "login" as const, ...signedIn } : { status: "mfa_required" as const }),
      );
    },
  );
}

function recoveryRoutes(app: Api, identity: Identity): void {
  const response = responses(200, doneResponseSchema);
  app.post(
    "/api/auth/forgot-password",
    {
      config,
      schema: {
        ...common,
        summary: "Ask for a link to set a new password",
        body: forgotPasswordSchema,
        response,
      },
    },
    async (request) => {
      await evenAnswer(() => forgotPassword(identifierOf(request.body), clientOf(request), identity));
      return done(
        "If there is an account with this identifier, a link to set a new password is on its way to it.",
      );
    },
  );
  app.post(
    "/api/auth/reset-password",
    {
      config,
      schema: {
        ...common,
        summary: "Set a new password with the token of the link",
        body: resetPasswordSchema,
        response,
      },
    },
    async (request) => {
      await resetPassword(request.body, clientOf(request), identity);
      return done("The password is set; sign in with it.");
    },
  );
}

/** Answers with tokens must not be cached. */
function secret(reply: FastifyReply): FastifyReply {
  return reply.header("cache-control", "no-store");
}
