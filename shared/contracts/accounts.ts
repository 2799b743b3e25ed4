import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { roleSchema } from "./role-schema.ts";

/** Requests and answers of `/api/auth`. Times are RFC 3339 in UTC. */

const rawIdentifier = z.string().min(1).max(320);
const password = z.string().min(8, "at least 8 characters").max(256, "at most 256 characters");
/**
 * Credentials that are only compared get no format check: a malformed one is a wrong password or code, not a separate
 * error.
 */
const presented = z.string().min(1).max(256);
const name = z.string().trim().min(1).max(128);
const code = z.string().trim().min(1).max(16);

/** An email or a mobile number, under any of four names. */
const identifierFields = {
  identifier: rawIdentifier.optional(),
  email: rawIdentifier.optional(),
  phone: rawIdentifier.optional(),
  mobile: rawIdentifier.optional(),
};
type IdentifierFields = { [K in keyof typeof identifierFields]?: string | undefined };

/** The identifier of a body, under whichever name it was sent; never `""`, as the schemas require one. */
export function identifierOf({ identifier, email, phone, mobile }: IdentifierFields): string {
  return identifier ?? email ?? phone ?? mobile ?? "";
}

function withIdentifier<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject({ ...identifierFields, ...shape }).refine((body) => identifiersIn(body) === 1, {
    message: "send exactly one of identifier, email, phone and mobile",
  });
}

function identifiersIn(body: object): number {
  return Object.keys(identifierFields).filter((field) => Reflect.get(body, field) !== undefined).length;
}

export const lookupSchema = withIdentifier({});
export const lookupResponseSchema = wrapped(
  z.object({
    status: z.enum(["password", "signup", "unavailable"]),
    identifier: z.string(),
    channel: z.enum(["phone", "email"]),
    selfSignupEnabled: z.boolean(),
  }),
);

const otpSentSchema = z.object({
  requestId: z.string(),
  channel: z.enum(["phone", "email"]),
  destinationHint: z.string(),
  expiresInMinutes: z.int(),
});
export type OtpSent = z.infer<typeof otpSentSchema>;
export const otpSentResponseSchema = wrapped(otpSentSchema);

export const registerSchema = withIdentifier({
  password,
  name: name.optional(),
  organizationName: name.optional(),
  /** From an invitation's mail: the new user joins that organization instead of creating one. */
  invitationToken: presented.optional(),
});

export const loginSchema = withIdentifier({
  password: presented,
  totpCode: code.optional(),
  recoveryCode: z.string().trim().min(1).max(64).optional(),
});

export const mfaChallengeSchema = z
  .strictObject({
    ...identifierFields,
    password: presented.optional(),
    /** Replaces the password after an identity provider's sign-in that answered `mfa_required`. */
    mfaToken: presented.optional(),
    code: code.optional(),
    recoveryCode: z.string().trim().min(1).max(64).optional(),
  })
  .refine((body) => (body.code === undefined) !== (body.recoveryCode === undefined), {
    message: "send code or recoveryCode",
  })
  .refine(
    (body) =>
      body.mfaToken === undefined
        ? identifiersIn(body) === 1 && body.password !== undefined
        : identifiersIn(body) === 0 && body.password === undefined,
    { message: "send email and password, or mfaToken, beside it" },
  );

export const userSchema = z.object({
  id: z.string(),
  email: z.string().nullable(),
  /** The role in the user's first organization; null without one. */
  role: roleSchema.nullable(),
  mobile: z.string().nullable(),
  name: z.string(),
  /** True once the user has proved to receive messages sent to the identifier. */
  verified: z.boolean(),
  mfaEnabled: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

export const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  accessTokenExpiresAt: z.string(),
  /** Expiry unless the token is used first; a sign-in always ends after 90 days. */
  refreshTokenExpiresAt: z.string(),
});
export type Tokens = z.infer<typeof tokensSchema>;

export const signedInSchema = z.object({ user: userSchema, tokens: tokensSchema });
export type SignedIn = z.infer<typeof signedInSchema>;
export const signedInResponseSchema = wrapped(signedInSchema);

export const registeredResponseSchema = wrapped(
  signedInSchema.extend({
    organization: z.object({ id: z.string(), name: z.string() }),
    /** The code that proves the identifier, for `/api/auth/verification`; null when none was sent. */
    verification: otpSentSchema.nullable(),
  }),
);

export const loginOtpSchema = withIdentifier({});
export const otpResendSchema = z.strictObject({ requestId: presented });
export const otpVerifySchema = z.strictObject({
  requestId: presented,
  code,
  totpCode: code.optional(),
  recoveryCode: z.string().trim().min(1).max(64).optional(),
});
export const otpVerifiedResponseSchema = wrapped(
  z.discriminatedUnion("status", [
    signedInSchema.extend({ status: z.literal("login") }),
    z.object({ status: z.literal("mfa_required") }),
  ]),
);

/**
 * The bound exceeds a refresh token's length, so that an access token sent by mistake is a wrong token, not a
 * malformed body.
 */
export const refreshSchema = z.strictObject({ refreshToken: z.string().min(1).max(16_384) });
export const refreshedResponseSchema = wrapped(z.object({ tokens: tokensSchema }).extend(tokensSchema.shape));

export const forgotPasswordSchema = withIdentifier({});
export const resetPasswordSchema = z.strictObject({ token: presented, password });
export const changePasswordSchema = z.strictObject({ currentPassword: presented, newPassword: password });
export const deactivateSchema = z.strictObject({ password: presented.optional() });
export const verifyIdentifierSchema = z.strictObject({ requestId: presented, code });

/** The answer of an operation without a result. */
export const doneResponseSchema = wrapped(z.object({ message: z.string() }));

export const meResponseSchema = wrapped(
  userSchema.extend({
    hasPassword: z.boolean(),
    createdAt: z.string(),
    /** Present for the operator of the server; absent for all others. */
    isOperator: z.literal(true).optional(),
    organizations: z.array(
      z.object({ id: z.string(), name: z.string(), role: roleSchema, permissions: z.array(z.string()) }),
    ),
    /** Open invitations to the account's verified email address, newest first. */
    invitations: z.array(
      z.object({ id: z.string(), orgName: z.string(), role: roleSchema, expiresAt: z.string() }),
    ),
  }),
);
export type Me = z.infer<typeof meResponseSchema>["data"];

/** A fresh pair of tokens, and whose they are. */
export const resumedResponseSchema = wrapped(
  z.object({ tokens: tokensSchema, me: meResponseSchema.shape.data }),
);
export type Resumed = z.infer<typeof resumedResponseSchema>["data"];

export const mfaSetupResponseSchema = wrapped(
  z.object({
    secret: z.string(),
    otpauthUri: z.string(),
    /** A PNG as a data URL. */
    qrCode: z.string(),
  }),
);
/** The password is required when the sign-in is older than a quarter of an hour. */
export const mfaVerifySchema = z.strictObject({ code, password: presented.optional() });
export const recoveryCodesResponseSchema = wrapped(z.object({ recoveryCodes: z.array(z.string()) }));
/** An account without a password sends a code from the app instead. */
export const mfaDisableSchema = z.strictObject({ password: presented.optional(), code: code.optional() });

export const sessionSchema = z.object({
  id: z.string(),
  current: z.boolean(),
  method: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
});
export type UserSession = z.infer<typeof sessionSchema>;
export const sessionsResponseSchema = wrapped(z.object({ sessions: z.array(sessionSchema), total: z.int() }));

const idp = z.string().regex(/^[a-z0-9-]{1,32}$/, "the id of an identity provider");
export const idpParamsSchema = z.object({ idp });
/** Owner of the demo workspace that `npm start` creates. */
export const DEMO_OWNER_EMAIL = "owner@parley.example";

export const idpsResponseSchema = wrapped(
  z.object({
    providers: z.array(z.object({ id: z.string(), name: z.string() })),
    /** The email of the demo workspace's owner, whose password is in `demo.json`; null: no demo here. */
    demoOwner: z.string().nullable(),
  }),
);
export const oidcStartedResponseSchema = wrapped(
  z.object({
    authorizeUrl: z.string(),
    /**
     * The client that began the sign-in keeps this and returns it with the callback, so that nobody can plant a
     * sign-in on another user.
     */
    flowSecret: z.string(),
  }),
);
export const oidcCallbackSchema = z.strictObject({
  code: z.string().min(1).max(4_096),
  state: presented,
  flowSecret: presented,
  /** RFC 9207 issuer, if the provider sends one. */
  iss: z.string().max(512).optional(),
});

export const authSessionParamsSchema = z.object({ sessionId: z.string().min(1).max(64) });
