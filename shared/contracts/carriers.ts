import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/** `/api/orgs/{orgId}/carriers`: an organization's own accounts at carriers, one at each. Secrets are only written. */

export const ACCOUNT_CARRIERS = ["twilio", "telnyx", "plivo", "vonage"] as const;
export type AccountCarrierName = (typeof ACCOUNT_CARRIERS)[number];

/** What can stand in a header and an address as it is. */
const token = z.string().regex(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters");

/** Which credentials each carrier asks for, named as its console names them. */
export const CARRIER_CREDENTIALS = {
  twilio: z.strictObject({
    accountSid: z.string().regex(/^AC[0-9a-f]{32}$/, "AC and 32 hexadecimal digits"),
    authToken: token,
  }),
  /** `publicKey` is that of the account's webhooks, `connectionId` the Voice API application. */
  telnyx: z.strictObject({ apiKey: token, publicKey: token, connectionId: token }),
  plivo: z.strictObject({ authId: token, authToken: token }),
  /** `privateKey` is the application's, PEM; `apiKey` and `signatureSecret` are the account's. */
  vonage: z.strictObject({
    applicationId: token,
    privateKey: z.string().min(1).max(8_192),
    apiKey: token,
    signatureSecret: token,
  }),
} as const;
export type CarrierCredentials = {
  readonly [K in AccountCarrierName]: z.infer<(typeof CARRIER_CREDENTIALS)[K]>;
};

/** Those of the carrier, by name; which they are is checked with the carrier's own schema. */
const credentials = z.record(z.string().max(64), z.string().max(8_192));

export const connectCarrierSchema = z.strictObject({ carrier: z.enum(ACCOUNT_CARRIERS), credentials });
export const replaceCredentialsSchema = z.strictObject({ credentials });

const connectionSchema = z.object({
  id: z.string(),
  carrier: z.enum(ACCOUNT_CARRIERS),
  /** The part of the credentials that is no secret: which account or application it is. */
  account: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type CarrierConnection = z.infer<typeof connectionSchema>;

export const connectionParamsSchema = orgParamsSchema.extend({ id: z.string().min(1).max(64) });
export const connectionResponseSchema = wrapped(connectionSchema);
export const connectionsResponseSchema = wrapped(
  z.object({ carriers: z.array(connectionSchema), total: z.int() }),
);
export const connectionDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
