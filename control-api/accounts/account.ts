import type { Me, OtpSent } from "@parley/shared/contracts/accounts.ts";
import { permissionsOf } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { UserPrincipal } from "../access/principal.ts";
import type { Client } from "../audit/audit.ts";
import { wrongCode } from "../codes/one-time-codes.ts";
import { mfaChangedMessage, passwordChangedMessage } from "../messages/texts.ts";
import type { Enrolment } from "../mfa/totp.ts";
import { lockOrganizationsOf } from "../orgs/store.ts";
import type { Identity } from "./identity.ts";
import { assertGoodPassword } from "./passwords.ts";
import { destinationOf } from "./recover.ts";
import { toUser } from "./sign-in.ts";
import {
  type Account,
  deactivateAccount,
  endResets,
  findAccountById,
  listMemberships,
  listOrgsOwnedAlone,
  markVerified,
  setPasswordHash,
} from "./store.ts";

/** What a signed-in user does with the own account. */

export async function readMe(userId: string, { database }: Pick<Identity, "database">): Promise<Me> {
  const account = await accountOf(userId, database);
  const organizations = await listMemberships(database, userId);
  return {
    ...toUser(account),
    hasPassword: account.passwordHash !== null,
    createdAt: account.createdAt.toISOString(),
    organizations: organizations.map((org) => ({ ...org, permissions: [...permissionsOf(org.role)] })),
  };
}

/** Ends every other sign-in. Throws `AppError` credentials_invalid, validation_failed, too_many_requests. */
export async function changePassword(
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  { userId, sessionId }: UserPrincipal,
  { client, identity }: { client: Client; identity: Identity },
): Promise<void> {
  const { database, clock, passwords, signIns, audit, messenger } = identity;
  const account = await accountOf(userId, database);
  await assertPassword(account, currentPassword, identity);
  assertGoodPassword(newPassword, account.email ?? account.mobile ?? "");
  await setPasswordHash(database.db, userId, await passwords.hash(newPassword));
  await endResets(database.db, userId, new Date(clock.wallMs()));
  await signIns.end(userId, { reason: "password_changed", except: sessionId });
  await audit.write({ action: "auth.password_changed", userId, client });
  messenger.post(passwordChangedMessage(destinationOf(account)));
}

export async function setUpMfa(userId: string, { database, secondFactor }: Identity): Promise<Enrolment> {
  const account = await accountOf(userId, database);
  return secondFactor.setUp(userId, account.email ?? account.mobile ?? userId);
}

/** Turns the second factor on and ends every other sign-in; gives the recovery codes. */
export async function confirmMfa(
  code: string,
  { userId, sessionId }: UserPrincipal,
  { client, identity }: { client: Client; identity: Identity },
): Promise<string[]> {
  const { database, secondFactor, signIns, audit, messenger } = identity;
  const recoveryCodes = await secondFactor.confirm(userId, code);
  await signIns.end(userId, { reason: "mfa_enabled", except: sessionId });
  await audit.write({ action: "auth.mfa_enabled", userId, client });
  messenger.post(mfaChangedMessage(destinationOf(await accountOf(userId, database)), "on"));
  return recoveryCodes;
}

/** Throws `AppError` credentials_invalid, too_many_requests. */
export async function disableMfa(
  password: string,
  userId: string,
  { client, identity }: { client: Client; identity: Identity },
): Promise<void> {
  const { database, secondFactor, audit, messenger } = identity;
  const account = await accountOf(userId, database);
  await assertPassword(account, password, identity);
  await secondFactor.disable(userId);
  await audit.write({ action: "auth.mfa_disabled", userId, client });
  messenger.post(mfaChangedMessage(destinationOf(account), "off"));
}

/**
 * Ends the account: no sign-in, no key it made works any more. Throws `AppError` conflict for the only owner of
 * an organization that others are in.
 */
export async function deactivate(
  password: string | undefined,
  userId: string,
  { client, identity }: { client: Client; identity: Identity },
): Promise<void> {
  const { database, signIns, changes, audit } = identity;
  const account = await accountOf(userId, database);
  if (account.passwordHash !== null) await assertPassword(account, password ?? "", identity);
  await database.db.transaction().execute(async (trx) => {
    await lockOrganizationsOf(trx, userId);
    const [orphan] = await listOrgsOwnedAlone(trx, userId);
    if (orphan !== undefined) {
      throw new AppError("conflict", `You are the only owner of ${orphan}; make somebody else owner first.`);
    }
    await deactivateAccount(trx, userId);
  });
  await signIns.end(userId, { reason: "deactivated" });
  await changes.announce({ userId });
  await audit.write({ action: "auth.deactivated", userId, client });
}

/** Sends the code that proves the identifier. Throws `AppError` conflict when it is proven. */
export async function requestVerification(userId: string, { database, codes }: Identity): Promise<OtpSent> {
  const account = await accountOf(userId, database);
  if (account.verifiedAt !== null) throw new AppError("conflict", "This account is verified already.");
  const { channel, to } = destinationOf(account);
  return codes.send({ purpose: "verify", identifier: { channel, value: to }, userId });
}

/** The code counts with the sign-in that asked for it: who reads the mail and who knows the password are one. */
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
  if (!account) throw new AppError("token_invalid", "The account of this access token is gone.");
  return account;
}

async function assertPassword(
  account: Account,
  password: string,
  { limits, passwords }: Pick<Identity, "limits" | "passwords">,
): Promise<void> {
  const subject = account.email ?? account.mobile ?? account.id;
  await limits.take("password_per_account", subject);
  if (!(await passwords.matches(account.passwordHash, password))) {
    throw new AppError("credentials_invalid", "The current password is wrong.");
  }
  await limits.giveBack("password_per_account", subject);
}
