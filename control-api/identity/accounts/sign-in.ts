import type { OtpSent, SignedIn, Tokens, User } from "@parley/shared/contracts/accounts.ts";
import { AppError } from "@parley/shared/errors.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Client } from "../../http/plugins/client.ts";
import { mfaRequired, type Shown } from "../mfa/second-factor.ts";
import { findPending, insertPending, takePending } from "../mfa/store.ts";
import { normalizeIdentifier } from "../otp/identifier.ts";
import { wrongCode } from "../otp/one-time-codes.ts";
import type { SignInMethod } from "../sign-ins/sign-ins.ts";
import type { Identity } from "./identity.ts";
import { type OwnershipDeps, proveOwnership } from "./ownership.ts";
import { type Account, findAccount, findAccountById, markVerified, replacePasswordHash } from "./store.ts";

const MFA_TOKEN_MS = 5 * 60_000;

type PasswordIdentity = Pick<
  Identity,
  "database" | "clock" | "audit" | "limits" | "passwords" | "secondFactor" | "signIns"
>;

/** The only answer to failed sign-ins, whatever the reason. */
function wrongCredentials(): AppError {
  return new AppError("credentials_invalid", "Wrong email or password.");
}

/**
 * Signs in with a password and, if the account has one, a second factor. Does the same work whether or not the account
 * exists. Throws `AppError` credentials_invalid, mfa_required, code_invalid, too_many_requests.
 */
export async function signInWithPassword(
  input: { identifier: string; password: string } & Shown,
  client: Client,
  identity: PasswordIdentity,
): Promise<SignedIn> {
  const { database, limits, passwords, secondFactor, audit } = identity;
  const identifier = normalizeIdentifier(input.identifier);
  const block = addressBlock(client.ip);
  await limits.take("password_per_address", block);
  await limits.take("password_per_account", identifier.value);
  const account = await findAccount(database, identifier);
  const isRight = await passwords.matches(account?.passwordHash, input.password);
  if (!account || !isRight || account.status !== "active") {
    const details = { method: "password", identifierHash: pseudonym(identifier.value) };
    await audit.write({ action: "auth.sign_in", outcome: "failure", userId: account?.id, client, details });
    throw wrongCredentials();
  }
  await limits.giveBack("password_per_address", block);
  await limits.giveBack("password_per_account", identifier.value);
  if (account.mfaEnabled) await checkSecondFactor(account.id, input, { client, secondFactor, audit });
  await limits.clear("password_per_account", identifier.value);
  if (account.passwordHash !== null && passwords.isOutdated(account.passwordHash)) {
    const to = await passwords.hash(input.password);
    const isReplaced = await replacePasswordHash(database.db, account.id, { from: account.passwordHash, to });
    if (!isReplaced) throw wrongCredentials();
    return complete({ ...account, passwordHash: to }, "password", { client, signIns: identity.signIns });
  }
  return complete(account, "password", { client, signIns: identity.signIns });
}

/** Sends a code to an identifier; answers the same if nobody has it. */
export async function requestCode(
  rawIdentifier: string,
  client: Client,
  { database, limits, codes, audit }: Pick<Identity, "database" | "limits" | "codes" | "audit">,
): Promise<OtpSent> {
  const identifier = normalizeIdentifier(rawIdentifier);
  await limits.take("code_sends_per_address", addressBlock(client.ip));
  const account = await findAccount(database, identifier);
  const userId = account?.status === "active" ? account.id : null;
  await audit.write({ action: "auth.code_requested", userId: userId ?? undefined, client });
  return codes.send({ purpose: "login", identifier, userId });
}

/** Signs in with a code. Returns undefined if the second factor is missing; the code stays valid for another try. */
export async function signInWithCode(
  input: { requestId: string; code: string } & Shown,
  client: Client,
  identity: PasswordIdentity & Pick<Identity, "codes" | "changes" | "messenger">,
): Promise<SignedIn | undefined> {
  const { database, limits, codes, secondFactor, audit, signIns } = identity;
  const block = addressBlock(client.ip);
  await limits.take("code_guesses_per_address", block);
  const userId = await codes.check(input.requestId, input.code, "login").catch(async (error: unknown) => {
    const details = { method: "code", requestId: input.requestId };
    await audit.write({ action: "auth.sign_in", outcome: "failure", client, details });
    throw error;
  });
  await limits.giveBack("code_guesses_per_address", block);
  const account = await findAccountById(database.db, userId);
  if (account?.status !== "active") {
    await audit.write({
      action: "auth.sign_in",
      outcome: "failure",
      userId,
      client,
      details: { method: "code" },
    });
    throw wrongCode();
  }
  if (account.mfaEnabled) {
    if (input.totpCode === undefined && input.recoveryCode === undefined) return undefined;
    await checkSecondFactor(userId, input, { client, secondFactor, audit });
  }
  await codes.consume(input.requestId);
  if (account.verifiedAt === null) await proveByCode(account, { client, identity });
  // Verifying the identifier may have removed the password.
  const proven = await findAccountById(database.db, userId);
  if (!proven) throw wrongCode();
  return complete(proven, "code", { client, signIns });
}

/** Whoever also presents the second factor set up the account, so nothing in it belongs to anybody else. */
async function proveByCode(
  account: Account,
  { client, identity }: { client: Client; identity: OwnershipDeps["identity"] },
): Promise<void> {
  const { database, clock, audit } = identity;
  const { id: userId, mfaEnabled } = account;
  if (!mfaEnabled) return proveOwnership(account, { client, identity, withMfa: false });
  await markVerified(database.db, userId, new Date(clock.wallMs()));
  await audit.write({ action: "auth.verified", userId, client });
}

/** Continues a sign-in that lacked only the second factor. */
export async function signInWithMfaToken(
  { mfaToken, ...shown }: { mfaToken: string } & Shown,
  client: Client,
  { database, clock, secondFactor, audit, signIns }: PasswordIdentity,
): Promise<SignedIn> {
  const tokenHash = sha256Hex(mfaToken);
  const pending = await findPending(database.db, tokenHash, new Date(clock.wallMs()));
  const account = pending && (await findAccountById(database.db, pending.userId));
  if (account?.status !== "active") throw wrongCode();
  await checkSecondFactor(account.id, shown, { client, secondFactor, audit });
  if (!(await takePending(database.db, tokenHash))) throw wrongCode();
  return complete(account, "oidc", { client, signIns });
}

/** Throws `AppError` mfa_required with the token that `/mfa/challenge` takes instead of a password. */
export async function askForSecondFactor(
  account: Account,
  { database, clock }: Pick<Identity, "database" | "clock">,
): Promise<never> {
  const mfaToken = `parley_mfa_${randomToken(32)}`;
  const expiresAt = new Date(clock.wallMs() + MFA_TOKEN_MS);
  await insertPending(database.db, { tokenHash: sha256Hex(mfaToken), userId: account.id, expiresAt });
  throw mfaRequired({ mfaToken });
}

export async function complete(
  account: Account,
  method: SignInMethod,
  { client, signIns }: { client: Client; signIns: Identity["signIns"] },
): Promise<SignedIn> {
  const { id: userId, passwordHash, mfaEnabled } = account;
  const tokens: Tokens | undefined = await signIns.begin(
    { userId, passwordHash, mfaEnabled },
    method,
    client,
  );
  // The password or the second factor changed meanwhile.
  if (!tokens) throw wrongCredentials();
  return { user: toUser(account), tokens };
}

export function toUser({ id, email, role, mobile, name, verifiedAt, mfaEnabled }: Account): User {
  return { id, email, role, mobile, name, verified: verifiedAt !== null, mfaEnabled };
}

async function checkSecondFactor(
  userId: string,
  shown: Shown,
  { client, secondFactor, audit }: { client: Client } & Pick<Identity, "secondFactor" | "audit">,
): Promise<void> {
  try {
    await secondFactor.check(userId, shown);
    if (shown.totpCode === undefined)
      await audit.write({ action: "auth.recovery_code_used", userId, client });
  } catch (error) {
    if (error instanceof AppError && error.code === "code_invalid") {
      await audit.write({ action: "auth.second_factor", outcome: "failure", userId, client });
    }
    throw error;
  }
}

/** Enough to recognize repeated attempts on one name without revealing it. */
function pseudonym(identifier: string): string {
  return sha256Hex(identifier).slice(0, 12);
}
