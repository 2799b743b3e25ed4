import { z } from "zod";
import type { VendorAnswer, VendorProblem, VendorRefusal } from "../../vendor/vendor.ts";

const refused = z.object({
  ok: z.literal(false),
  error: z.string(),
  needed: z.string().optional(),
});
const PROBLEMS: Readonly<Record<string, VendorProblem>> = {
  invalid_auth: "unauthorized",
  not_authed: "unauthorized",
  token_revoked: "unauthorized",
  token_expired: "unauthorized",
  account_inactive: "unauthorized",
  missing_scope: "denied",
  not_allowed_token_type: "denied",
  no_permission: "denied",
  access_denied: "denied",
  restricted_action: "denied",
  not_in_channel: "denied",
  channel_not_found: "not_found",
  user_not_found: "not_found",
  ratelimited: "rate_limited",
  rate_limited: "rate_limited",
  internal_error: "failed",
  fatal_error: "failed",
  service_unavailable: "failed",
  request_timeout: "failed",
};
const WORDS: Readonly<Record<string, string>> = {
  not_in_channel: "not_in_channel; invite the app to this channel",
  is_archived: "is_archived; the channel is archived",
};

/** Slack reports almost every refusal with status 200. */
export function refusalOf({ body }: VendorAnswer): VendorRefusal | undefined {
  const { data } = refused.safeParse(body);
  if (!data) return undefined;
  const { error, needed } = data;
  const words = needed === undefined ? (WORDS[error] ?? error) : `${error}; it needs ${needed}`;
  return { problem: PROBLEMS[error] ?? "rejected", words };
}
