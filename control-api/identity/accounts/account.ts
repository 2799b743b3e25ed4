import type { Me, OtpSent } from "@parley/shared/contracts/accounts.ts";
import { permissionsOf } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import type { UserPrincipal } from "../../http/access/principal.ts";
import type { Client } from "../../http/plugins/client.ts";
import { listInvitationsTo, revokeAllInvitationsBy } from "../memberships/invitation-store.ts";
import { lockOrganizationsOf } from "../memberships/store.ts";
import type { Enrollment } from "../mfa/totp.ts";
import { mfaChangedMessage, passwordChangedMessage } from "../notifications/texts.ts";
import { wrongCode } from "../otp/one-time-codes.ts";
import type { Identity } from "./identity.ts";
import { assertGoodPassword } from "./passwords.ts";
import { destinationOf } from "./recover.ts";
import { endResets } from "./reset-store.ts";
import { toUser } from "./sign-in.ts";
import {
  type Account,
  deactivateAccount,
  findAccountById,
  listMemberships,
  listOrgsOwnedAlone,
  markVerified,
  replacePasswordHash,
} from "./store.ts";

/** What signed-in users do with their own account. */

export async function readMe(
  userId: string,
  { database, operators, clock }: Pick<Identity, "database" | "operators" | "clock">,
): Promise<Me> {
  const account = await accountOf(userId, database);
  const organizations = await listMemberships(database, userId);
  const invitations =
    account.email === null || account.verifiedAt === null
      ? []
      : await listInvitationsTo(database, account.email, new Date(clock.wallMs()));
  return {
    ...toUser(account),
    hasPassword: account.passwordHash !== null,
    createdAt: account.createdAt.toISOString(),
    ...((await operators.has(userId)) ? { isOperator: true as const } : {}),
    organizations: organizations.map((org) => ({ ...org, permissions: [...permissionsOf(org.role)] })),
    invitations: invitations.map((one) => ({ ...one, expiresAt: one.expiresAt.toISOString() })),
  };
}

/** Ends every other sign-in. Throws `AppError` credentials_invalid, validation_failed, too_many_requests. */
export async function changePassword(
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  { userId, sessionId }: UserPrincipal,
  { client, identity }: { client: Client; identity: Identity },
): Promise<void> {
  const { database, clock, limits, passwords, signIns, audit, messenger } = identity;
  const account = await accountOf(userId, database);
  await assertPassword(account, currentPassword, { client, identity });
  assertGoodPassword(newPassword, account.email ?? account.mobile ?? "");
  if (newPassword === currentPassword)
    throw new AppError("validation_failed", "newPassword must differ from the current password.");
  await limits.take("password_changes_per_user", userId);
  const to = await passwords.hash(newPassword);
  const ended = await database.db.transaction().execute(async (trx) => {
    // If the password was reset or the owner took over meanwhile, the verified password is no longer valid.
    if (!(await replacePasswordHash(trx, userId, { from: account.passwordHash, to }))) throw wrongPassword();
    await endResets(trx, userId, new Date(clock.wallMs()));
    return signIns.endIn(trx, userId, { reason: "password_changed", except: sessionId });
  });
  await signIns.tellEnded(ended);
  await audit.write({ action: "auth.password_changed", userId, client });
  messenger.post(passwordChangedMessage(destinationOf(account)));
}

export async function setUpMfa(
  userId: string,
  { client, identity }: { client: Client; identity: Identity },
): Promise<Enrollment> {
  const { database, secondFactor, audit } = identity;
  const account = await accountOf(userId, database);
  await audit.write({ action: "auth.mfa_setup_begun", userId, client });
  return secondFactor.setUp(userId, account.email ?? account.mobile ?? userId);
}

/**
 * Turns the second factor on, ends every other sign-in, and returns the recovery codes. A sign-in that is not fresh
 * must also present the password: a stolen token must not lock the owner out. Throws `AppError` code_invalid, conflict,
 * credentials_invalid, forbidden.
 */
export async function confirmMfa(
  { code, password }: { code: string; password?: string | undefined },
  { userId, sessionId }: UserPrincipal,
  { client, identity }: { client: Client; identity: Identity },
): Promise<string[]> {
  const { database, secondFactor, signIns, audit, messenger } = identity;
  const account = await accountOf(userId, database);
  if (password !== undefined) await assertPassword(account, password, { client, identity });
  else if (account.passwordHash !== null && !(await signIns.isFresh(sessionId))) {
    throw new AppError(
      "forbidden",
      "Send the password with the code, or sign in again: this sign-in is too old.",
    );
  }
  const recoveryCodes = await secondFactor.confirm(userId, code).catch(async (error: unknown) => {
    await audit.write({ action: "auth.mfa_enabled", outcome: "failure", userId, client });
    throw error;
  });
  await signIns.end(userId, { reason: "mfa_enabled", except: sessionId });
  await audit.write({ action: "auth.mfa_enabled", userId, client });
  messenger.post(mfaChangedMessage(destinationOf(account), "on"));
  return recoveryCodes;
}

/** Requires the password, or a code if there is none. Throws `AppError` credentials_invalid, code_invalid. */
export async function disableMfa(
  { password, code }: { password?: string | undefined; code?: string | undefined },
  userId: string,
  { client, identity }: { client: Client; identity: Identity },
): Promise<void> {
  const { database, secondFactor, audit, messenger } = identity;
  const account = await accountOf(userId, database);
  if (account.passwordHash === null) await secondFactor.check(userId, { totpCode: code });
  else await assertPassword(account, given(password), { client, identity });
  await secondFactor.disable(userId);
  await audit.write({ action: "auth.mfa_disabled", userId, client });
  messenger.post(mfaChangedMessage(destinationOf(account), "off"));
}

/**
 * Deactivates the account, ending its sign-ins and the keys it made. Throws `AppError` conflict for the only owner of
 * an organization with other members.
 */
export async function deactivate(
  password: string | undefined,
  userId: string,
  { client, identity }: { client: Client; identity: Identity },
): Promise<void> {
  const { database, clock, signIns, changes, audit } = identity;
  const account = await accountOf(userId, database);
  if (account.passwordHash !== null) await assertPassword(account, given(password), { client, identity });
  const ended = await database.db.transaction().execute(async (trx) => {
    await lockOrganizationsOf(trx, userId);
    const [orphan] = await listOrgsOwnedAlone(trx, userId);
    if (orphan !== undefined) {
      throw new AppError(
        "conflict",
        `You are the only owner of ${orphan}; make someone else an owner first.`,
      );
    }
    await deactivateAccount(trx, userId);
    await revokeAllInvitationsBy(trx, userId, new Date(clock.wallMs()));
    return signIns.endIn(trx, userId, { reason: "deactivated" });
  });
  await signIns.tellEnded(ended);
  await changes.announce({ userId });
  await audit.write({ action: "auth.deactivated", userId, client });
}

/** Sends the code that verifies the identifier. Throws `AppError` conflict if it is already verified. */
export async function requestVerification(
  userId: string,
  { client, identity }: { client: Client; identity: Pick<Identity, "database" | "codes" | "limits"> },
): Promise<OtpSent> {
  const { database, codes, limits } = identity;
  await limits.take("code_sends_per_address", addressBlock(client.ip));
  const account = await accountOf(userId, database);
  if (account.verifiedAt !== null) throw new AppError("conflict", "This account is already verified.");
  const { channel, to } = destinationOf(account);
  return codes.send({ purpose: "verify", identifier: { channel, value: to }, userId });
}

/** The code counts only for the account that requested it: one person must read the mail and know the password. */
export async function verifyIdentifier(
  { requestId, code }: { requestId: string; code: string },
  userId: string,
  { client, identity }: { client: Client; identity: Identity },
): Promise<void> {
  const { database, clock, codes, audit } = identity;
  if ((await codes.check(requestId, code, "verify")) !== userId) throw wrongCode();
  await codes.consume(requestId);
  await markVerified(database.db, userId, new Date(clock.wallMs()));
  await audit.write({ action: "auth.verified", userId, client });
}

async function accountOf(userId: string, database: Identity["database"]): Promise<Account> {
  const account = await findAccountById(database.db, userId);
  if (!account) throw new AppError("token_invalid", "The account of this access token no longer exists.");
  return account;
}

/** Throws `AppError` validation_failed if the account has a password and none was given. */
function given(password: string | undefined): string {
  if (password !== undefined) return password;
  throw new AppError("validation_failed", "Invalid body: password is required.", {
    details: { fields: { password: "is required" } },
  });
}

async function assertPassword(
  account: Account,
  password: string,
  { client, identity }: { client: Client; identity: Pick<Identity, "limits" | "passwords" | "audit"> },
): Promise<void> {
  const { limits, passwords, audit } = identity;
  await limits.take("password_checks_per_user", account.id);
  if (!(await passwords.matches(account.passwordHash, password))) {
    await audit.write({ action: "auth.password_check", outcome: "failure", userId: account.id, client });
    throw wrongPassword();
  }
  await limits.giveBack("password_checks_per_user", account.id);
}

function wrongPassword(): AppError {
  return new AppError("credentials_invalid", "The current password is wrong.");
}
