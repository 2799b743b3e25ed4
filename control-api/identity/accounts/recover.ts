import { AppError } from "@parley/shared/errors.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Client } from "../../http/plugins/client.ts";
import { ownershipProvenMessage, passwordChangedMessage, resetMessage } from "../notifications/texts.ts";
import { normalizeIdentifier } from "../otp/identifier.ts";
import type { Identity } from "./identity.ts";
import { assertGoodPassword } from "./passwords.ts";
import { endResets, insertReset, takeReset } from "./reset-store.ts";
import { type Account, findAccount, findAccountById, markVerified, setPasswordHash } from "./store.ts";
import { dropUnproven } from "./unproven.ts";

const RESET_MINUTES = 30;
const RESET_TOKEN_BYTES = 32;

/** Sends a link to set a new password; answers the same if nobody has the identifier. */
export async function forgotPassword(
  rawIdentifier: string,
  client: Client,
  identity: Pick<Identity, "database" | "clock" | "limits" | "messenger" | "audit" | "baseUrl">,
): Promise<void> {
  const { database, clock, limits, messenger, audit, baseUrl } = identity;
  const identifier = normalizeIdentifier(rawIdentifier);
  await limits.take("code_sends_per_address", addressBlock(client.ip));
  await limits.take("reset_sends_per_destination", identifier.value);
  const account = await findAccount(database, identifier);
  const userId = account?.status === "active" ? account.id : undefined;
  const token = `parley_reset_${randomToken(RESET_TOKEN_BYTES)}`;
  const expiresAt = new Date(clock.wallMs() + RESET_MINUTES * 60_000);
  await insertReset(database, { tokenHash: sha256Hex(token), userId: userId ?? null, expiresAt });
  await audit.write({ action: "auth.password_reset_requested", userId, client });
  if (userId === undefined) return;
  // In the fragment, which no server, log or referrer sees.
  const link = `${baseUrl()}/reset-password#token=${token}`;
  messenger.post(
    resetMessage({ channel: identifier.channel, to: identifier.value }, { link, minutes: RESET_MINUTES }),
  );
}

/** Sets a password by a message's token and ends every sign-in. Throws `AppError` code_invalid, validation_failed. */
export async function resetPassword(
  { token, password }: { token: string; password: string },
  client: Client,
  identity: Pick<
    Identity,
    "database" | "clock" | "limits" | "passwords" | "signIns" | "changes" | "audit" | "messenger"
  >,
): Promise<void> {
  const { database, clock, limits, passwords, signIns, changes, audit, messenger } = identity;
  const block = addressBlock(client.ip);
  await limits.take("code_guesses_per_address", block);
  assertGoodPassword(password, "");
  const passwordHash = await passwords.hash(password);
  const at = new Date(clock.wallMs());
  const account = await database.db.transaction().execute(async (trx) => {
    const userId = await takeReset(trx, sha256Hex(token), at);
    const found = userId === undefined ? undefined : await findAccountById(trx, userId);
    if (found?.status !== "active") return undefined;
    // Throwing here keeps the link valid for another try.
    assertGoodPassword(password, found.email ?? found.mobile ?? "");
    if (found.verifiedAt === null) await dropUnproven(trx, found.id, { withMfa: true, at });
    await markVerified(trx, found.id, at);
    await setPasswordHash(trx, found.id, passwordHash);
    await endResets(trx, found.id, at);
    return { ...found, ended: await signIns.endIn(trx, found.id, { reason: "password_reset" }) };
  });
  if (!account) {
    await audit.write({ action: "auth.password_reset", outcome: "failure", client });
    throw new AppError("code_invalid", "The link has expired or was already used. Ask for a new one.");
  }
  await limits.giveBack("code_guesses_per_address", block);
  await signIns.tellEnded(account.ended);
  await changes.announce({ userId: account.id });
  for (const identifier of [account.email, account.mobile]) {
    if (identifier !== null) await limits.clear("password_per_account", identifier);
  }
  await audit.write({ action: "auth.password_reset", userId: account.id, client });
  const to = destinationOf(account);
  messenger.post(
    account.verifiedAt === null
      ? ownershipProvenMessage(to, { hasPassword: true })
      : passwordChangedMessage(to),
  );
}

/** Where to notify an account of changes to it. */
export function destinationOf({ email, mobile }: Account): { channel: "email" | "phone"; to: string } {
  return email === null ? { channel: "phone", to: mobile ?? "" } : { channel: "email", to: email };
}
