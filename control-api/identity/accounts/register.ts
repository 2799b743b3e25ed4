import type { OtpSent, SignedIn } from "@parley/shared/contracts/accounts.ts";
import { cutText } from "@parley/shared/contracts/storable.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Client } from "../../http/plugins/client.ts";
import { findInvitation, takeInvitation } from "../memberships/invitation-store.ts";
import { insertOrganization } from "../memberships/store.ts";
import { type Identifier, normalizeIdentifier } from "../otp/identifier.ts";
import type { CodeFor } from "../otp/one-time-codes.ts";
import type { Identity } from "./identity.ts";
import { assertGoodPassword } from "./passwords.ts";
import { complete } from "./sign-in.ts";
import { findAccount, findAccountById, insertAccount } from "./store.ts";

export interface Registration {
  readonly identifier: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly organizationName?: string | undefined;
  readonly invitationToken?: string | undefined;
}

export interface Registered extends SignedIn {
  readonly organization: { readonly id: string; readonly name: string };
  /** The request of the code that verifies the identifier; null if none was sent. */
  readonly verification: OtpSent | null;
}

/** Which step follows the identifier in a sign-in. Verifies nothing, and discloses this by design. */
export async function lookUp(
  rawIdentifier: string,
  client: Client,
  { database, limits, config }: Pick<Identity, "database" | "limits" | "config">,
) {
  const identifier = normalizeIdentifier(rawIdentifier);
  await limits.take("lookup_per_address", addressBlock(client.ip));
  const account = await findAccount(database, identifier);
  const known = account?.status === "active" ? ("password" as const) : ("unavailable" as const);
  return {
    status: account ? known : ("signup" as const),
    identifier: identifier.value,
    channel: identifier.channel,
    selfSignupEnabled: config.identity.selfSignup,
  };
}

/**
 * Creates an account with its own organization or, with an invitation, a membership, and signs it in. Throws `AppError`
 * forbidden (sign-up is off), conflict (the identifier is taken), validation_failed, gone.
 */
export async function register(
  registration: Registration,
  client: Client,
  identity: Pick<
    Identity,
    "config" | "database" | "clock" | "limits" | "passwords" | "codes" | "signIns" | "audit"
  >,
): Promise<Registered> {
  const { config, database, limits, passwords, codes, signIns, audit } = identity;
  const identifier = normalizeIdentifier(registration.identifier);
  await limits.take("register_per_address", addressBlock(client.ip));
  if (identifier.channel === "phone") await limits.take("code_sends_per_address", addressBlock(client.ip));
  if (!config.identity.selfSignup && registration.invitationToken === undefined) {
    throw new AppError("forbidden", "Accounts are by invitation only here. Ask your organization for one.");
  }
  assertGoodPassword(registration.password, identifier.value);
  const passwordHash = await passwords.hash(registration.password);
  const { userId, organization } = await insertAll({ ...registration, identifier, passwordHash }, identity);
  const account = await findAccountById(database.db, userId);
  if (!account) throw new AppError("internal", "The account that was just made is gone.");
  await audit.write({ action: "auth.register", userId, orgId: organization.id, client });
  if (registration.invitationToken !== undefined) {
    await audit.write({ action: "member.joined", userId, orgId: organization.id, client });
  }
  const verification =
    account.verifiedAt === null ? await sendCode({ purpose: "verify", identifier, userId }, codes) : null;
  return { ...(await complete(account, "register", { client, signIns })), organization, verification };
}

/** Earlier code requests by others must not keep an address's owner from registering. */
async function sendCode(to: CodeFor, codes: Identity["codes"]): Promise<OtpSent | null> {
  try {
    return await codes.send(to);
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_requests") return null;
    throw error;
  }
}

async function insertAll(
  made: Omit<Registration, "identifier"> & { identifier: Identifier; passwordHash: string },
  { database, clock }: Pick<Identity, "database" | "clock">,
): Promise<{ userId: string; organization: { id: string; name: string } }> {
  const { identifier, passwordHash, invitationToken, organizationName } = made;
  const at = new Date(clock.wallMs());
  const userId = newId("usr");
  const name = made.name ?? "";
  return database.db.transaction().execute(async (trx) => {
    const invitation =
      invitationToken === undefined
        ? undefined
        : await findInvitation(
            trx,
            { tokenHash: sha256Hex(invitationToken) },
            { email: identifier.value, at },
          );
    // Only the reader of the invited address has the token.
    const verifiedAt = invitation ? at : null;
    const isNew = await insertAccount(trx, { id: userId, identifier, name, passwordHash, verifiedAt, at });
    if (!isNew)
      throw new AppError("conflict", "An account with this email or number already exists. Sign in instead.");
    if (invitation) {
      await takeInvitation(trx, invitation, { userId, at });
      return { userId, organization: { id: invitation.orgId, name: invitation.orgName } };
    }
    const organization = { id: newId("org"), name: organizationName ?? defaultOrgName(name, identifier) };
    await insertOrganization(trx, { ...organization, ownerId: userId, at });
    return { userId, organization };
  });
}

function defaultOrgName(name: string, { channel, value }: Identifier): string {
  if (name !== "") return cutText(`${name}'s organization`, 128);
  return channel === "email" ? `${value.split("@")[0]}'s organization` : "My organization";
}
