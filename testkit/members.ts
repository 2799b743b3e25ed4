import { ROLES, type Role } from "@parley/shared/contracts/roles.ts";
import type { TestControlApi } from "./control-api.ts";
import { createOrganization } from "./organization.ts";
import { TestPerson } from "./person.ts";

/** An organization with a member and a key of each role, an agent, and an outsider. */
export class TestMembers {
  readonly api: TestControlApi;
  readonly orgId: string;
  readonly agentId: string;
  readonly keys: Readonly<Record<Role, string>>;
  readonly revokedKey: string;
  readonly stranger: { readonly person: TestPerson; readonly orgId: string; readonly key: string };
  readonly people: Readonly<Record<Role, TestPerson>>;
  /** Token of an owner's ended sign-in. */
  readonly endedToken: string;

  private constructor(parts: Omit<TestMembers, "token" | "strangersToken" | "clientToken">) {
    this.api = parts.api;
    this.orgId = parts.orgId;
    this.agentId = parts.agentId;
    this.keys = parts.keys;
    this.revokedKey = parts.revokedKey;
    this.stranger = parts.stranger;
    this.people = parts.people;
    this.endedToken = parts.endedToken;
  }

  static async create(api: TestControlApi): Promise<TestMembers> {
    const { orgId, agentId, keys, revokedKey } = await createOrganization(api.database);
    const other = await createOrganization(api.database);
    const people: Partial<Record<Role, TestPerson>> = {};
    for (const role of ROLES) people[role] = await joined(api, orgId, role);
    const outsider = await TestPerson.register(api);
    const stranger = { person: outsider, orgId: outsider.orgId, key: other.keys.owner };
    const gone = await TestPerson.register(api);
    await gone.call("POST", "/api/auth/logout");
    return new TestMembers({
      endedToken: gone.accessToken,
      api,
      orgId,
      agentId,
      keys,
      revokedKey,
      stranger,
      people: people as Record<Role, TestPerson>,
    });
  }

  /** An access token of the member with this role; a new one when a test signed the last one out. */
  async token(role: Role): Promise<string> {
    return this.#tokenOf(this.people[role]);
  }

  /** An access token of a person in another organization. */
  async strangersToken(): Promise<string> {
    return this.#tokenOf(this.stranger.person);
  }

  async #tokenOf(person: TestPerson): Promise<string> {
    if ((await person.call("GET", "/api/auth/me")).status !== 200) {
      await this.api.database.db
        .updateTable("users")
        .set({ status: "active" })
        .where("id", "=", person.userId)
        .execute();
      const answer = await person.logIn();
      person.accessToken = (answer.body.data as { tokens: { accessToken: string } }).tokens.accessToken;
    }
    return person.accessToken;
  }

  async clientToken(extra: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.api.call("POST", "/api/client-tokens", {
      key: this.keys.owner,
      body: { agentId: this.agentId, ...extra },
    });
    return (answer.body.data as { token: string }).token;
  }
}

/** Creates a person who is in this organization only. */
export async function memberOnly(api: TestControlApi, orgId: string, role: Role): Promise<TestPerson> {
  const person = await joined(api, orgId, role);
  const own = api.database.db.deleteFrom("memberships").where("org_id", "=", person.orgId);
  await own.execute();
  return person;
}

async function joined(api: TestControlApi, orgId: string, role: Role): Promise<TestPerson> {
  const person = await TestPerson.registerVerified(api);
  await api.database.db
    .insertInto("memberships")
    .values({ org_id: orgId, user_id: person.userId, role })
    .execute();
  return person;
}
