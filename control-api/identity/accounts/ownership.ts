import type { Client } from "../../http/plugins/client.ts";
import { ownershipProvenMessage } from "../notifications/texts.ts";
import type { Identity } from "./identity.ts";
import { destinationOf } from "./recover.ts";
import { type Account, markVerified } from "./store.ts";
import { dropUnproven } from "./unproven.ts";

export interface OwnershipDeps {
  readonly client: Client;
  readonly identity: Pick<Identity, "database" | "clock" | "signIns" | "changes" | "audit" | "messenger">;
  /** Drops the second factor, too: whoever verified the identifier did not present it. */
  readonly withMfa: boolean;
}

/**
 * Records the first proof that the holder of an identifier is here. Whatever was set up or issued before may belong to
 * somebody who only knew the address: it ends, as does every sign-in, and the holder is notified.
 */
export async function proveOwnership(
  account: Account,
  { client, identity, withMfa }: OwnershipDeps,
): Promise<void> {
  const { database, clock, signIns, changes, audit, messenger } = identity;
  const { id: userId } = account;
  const at = new Date(clock.wallMs());
  const { revokedKeys, ended } = await database.db.transaction().execute(async (trx) => {
    await markVerified(trx, userId, at);
    return {
      revokedKeys: await dropUnproven(trx, userId, { withMfa, at }),
      ended: await signIns.endIn(trx, userId, { reason: "ownership_proven" }),
    };
  });
  await signIns.tellEnded(ended);
  await changes.announce({ userId });
  await audit.write({ action: "auth.ownership_proven", userId, client, details: { revokedKeys } });
  messenger.post(ownershipProvenMessage(destinationOf(account), { hasPassword: false }));
}
