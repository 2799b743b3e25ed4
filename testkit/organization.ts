import type { Database } from "@parley/control-api/database/open.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import { newId } from "@parley/shared/ids.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";

/** An organization with a key of each role and an agent. */
export interface TestOrganization {
  readonly orgId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly keys: Readonly<Record<Role, string>>;
  readonly revokedKey: string;
}

/** Writes an organization into a database; `settings` belong to its agent. */
export async function createOrganization(
  { db }: Database,
  settings: Record<string, unknown> = {},
): Promise<TestOrganization> {
  const [orgId, userId, agentId] = [newId("org"), newId("usr"), newId("agt")];
  const at = new Date();
  await db.insertInto("organizations").values({ id: orgId, name: "Acme", created_at: at }).execute();
  await db
    .insertInto("users")
    .values({
      id: userId,
      email: `${userId}@acme.example`,
      password_hash: "x",
      status: "active",
      created_at: at,
    })
    .execute();
  const agent = {
    brain: { url: "https://brain.example/" },
    firstResponse: "Hello {name}, how can I help?",
    // Said after two seconds, which a busy machine may take for an answer.
    waiting: { afterMs: 0 },
    ...settings,
  };
  await db
    .insertInto("agents")
    .values({
      id: agentId,
      org_id: orgId,
      name: "Anna",
      settings: JSON.stringify(agent),
      created_at: at,
      updated_at: at,
    })
    .execute();
  const roles = ["owner", "admin", "developer", "member", "viewer"] as const;
  const addKey = async (role: Role, revokedAt: Date | null): Promise<string> => {
    const secret = `parley_live_${newId("key")}`;
    await db
      .insertInto("api_keys")
      .values({
        id: newId("key"),
        org_id: orgId,
        name: role,
        role,
        secret_hash: sha256Hex(secret),
        last_four: secret.slice(-4),
        created_by: userId,
        revoked_at: revokedAt,
        created_at: at,
      })
      .execute();
    return secret;
  };
  const keys = Object.fromEntries(
    await Promise.all(roles.map(async (role) => [role, await addKey(role, null)])),
  );
  return {
    orgId,
    userId,
    agentId,
    keys: keys as Record<Role, string>,
    revokedKey: await addKey("owner", at),
  };
}
