import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import { insertConnection } from "../../sealed/connections/store.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { GraphReach } from "../graph/graph-api.ts";
import { asked, CHANNEL_CONNECTIONS, openSender } from "./credentials.ts";

const PROVIDER = "whatsapp";
const VERIFY_TOKEN_BYTES = 24;

/** A number of the operator's own business account, with the credentials of the operator's Meta app. */
export interface ManagedNumber {
  readonly orgId: string;
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

interface LendingDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly reach: GraphReach;
  readonly nowMs: () => number;
}

export interface Lent {
  readonly channelId: string;
  readonly phone: string | null;
  /** What the operator enters at Meta, for the first number of an app. */
  readonly verifyToken: string;
}

/**
 * Lends one of the operator's numbers to an organization, whose members choose who answers and never see its
 * credentials (docs/decisions/messaging.md#managed-numbers). Throws `AppError` bad_request (WhatsApp says why), conflict
 * (an organization has the number), not_found (no such organization).
 */
export async function lendNumber({ orgId, ...given }: ManagedNumber, deps: LendingDeps): Promise<Lent> {
  const { database, secrets, reach } = deps;
  const verifyToken = randomToken(VERIFY_TOKEN_BYTES);
  const { credentials, sender } = openSender(PROVIDER, { ...given, verifyToken }, { orgId, reach });
  const { phone, verifiedName, quality } = await asked(async () => {
    const told = await sender.describe();
    await sender.subscribe();
    return told;
  });
  const at = new Date(deps.nowMs());
  const id = newId("chn");
  await database.db.transaction().execute(async (trx) => {
    const org = trx.selectFrom("organizations").select("id").where("id", "=", orgId);
    if (!(await org.executeTakeFirst()))
      throw new AppError("not_found", `There is no organization ${orgId}.`);
    const credentialsSealed = secrets.seal(JSON.stringify(credentials), SEAL_CONTEXT.channel(id));
    const row = {
      id,
      orgId,
      provider: PROVIDER,
      account: given.phoneNumberId,
      createdBy: "operator",
    } as const;
    if (!(await insertConnection(trx, CHANNEL_CONNECTIONS, { ...row, credentialsSealed, createdAt: at })))
      throw new AppError("conflict", "This organization has the number already.");
    const lent = await trx
      .updateTable("messaging_channels")
      .set({
        ...{ managed: true, name: verifiedName ?? phone ?? given.phoneNumberId, phone, checked_at: at },
        ...{ verified_name: verifiedName, quality, business_account: given.businessAccountId },
      })
      .where("id", "=", id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("messaging_channels as other")
              .select("other.id")
              .where("other.managed", "=", true)
              .where("other.provider", "=", PROVIDER)
              .where("other.account", "=", given.phoneNumberId),
          ),
        ),
      )
      .executeTakeFirst();
    if (lent.numUpdatedRows === 0n) throw new AppError("conflict", "Another organization has the number.");
  });
  return { channelId: id, phone, verifyToken };
}

/** Members may not change what is the operator's. Throws `AppError` forbidden. */
export function assertOwn({ managed }: { readonly managed: boolean }): void {
  if (!managed) return;
  const message = "This number belongs to the operator of this installation, who keeps its credentials.";
  throw new AppError("forbidden", message);
}
