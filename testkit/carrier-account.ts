import { CARRIER_CONNECTIONS } from "@parley/control-api/channels/carriers/connections/kind.ts";
import type { Database } from "@parley/control-api/database/open.ts";
import { insertConnection } from "@parley/control-api/sealed/connections/store.ts";
import { SEAL_CONTEXT } from "@parley/control-api/sealed/contexts.ts";
import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { newId } from "@parley/shared/ids.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { FakeCarrier } from "./fakes/carriers/fake-carrier.ts";

interface Account {
  readonly orgId: string;
  readonly carrier: AccountCarrierName;
  readonly credentials: object;
  /** One of the account's numbers, in E.164. */
  readonly number: string;
  /** SECRETS_KEY of the installation's control APIs. */
  readonly secretsKey: string;
}

/** Connects an organization to a carrier, with a number of that account; returns the connection's id. */
export async function connectAccount(database: Database, account: Account): Promise<string> {
  const { orgId, carrier, credentials, number, secretsKey } = account;
  const id = newId("con");
  const at = new Date();
  await insertConnection(database.db, CARRIER_CONNECTIONS, {
    id,
    orgId,
    provider: carrier,
    account: "a test's",
    credentialsSealed: new SecretBox(secretsKey).seal(JSON.stringify(credentials), SEAL_CONTEXT.carrier(id)),
    createdBy: "usr_test",
    createdAt: at,
  });
  await database.db
    .insertInto("phone_numbers")
    .values({ id: newId("num"), org_id: orgId, number, carrier, label: "", created_at: at })
    .execute();
  return id;
}

/** How often a carrier was asked to dial, answered or not. */
export function dials({ requests }: FakeCarrier): number {
  return requests.filter(({ method, path }) => method === "POST" && /\/calls?(\.json|\/)?$/i.test(path))
    .length;
}
