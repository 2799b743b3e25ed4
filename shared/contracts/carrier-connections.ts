import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { ACCOUNT_CARRIERS } from "./phone-carriers.ts";

/** `/api/orgs/{orgId}/carriers`: an organization's own carrier accounts, one per carrier. Secrets are write-only. */

/** The carrier's credentials by name; validated with the carrier's own schema. */
const credentials = z.record(z.string().max(64), z.string().max(8_192));

export const connectCarrierSchema = z.strictObject({ carrier: z.enum(ACCOUNT_CARRIERS), credentials });
export const replaceCredentialsSchema = z.strictObject({ credentials });

const connectionSchema = z.object({
  id: z.string(),
  carrier: z.enum(ACCOUNT_CARRIERS),
  /** The non-secret part of the credentials: which account or application it is. */
  account: z.string(),
  /** Where the carrier is to report incoming calls; another after the account is connected again. */
  inboundUrl: z.string(),
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
