import { ROLES, type Role } from "@parley/shared/contracts/roles.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { PASSWORD, TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start();
});
/** So many people from one address would be refused in an hour. */
beforeEach(async () => {
  await api.database.db.deleteFrom("rate_limits").execute();
});
afterAll(() => api.close());

async function invitationToken(email: string): Promise<string> {
  const [message] = await api.messagesTo(email);
  return /#token=(\S+)/.exec(message?.text ?? "")?.[1] ?? "";
}

describe("an organization", () => {
  it("is read by its members and renamed by those who manage it", async () => {
    const person = await TestPerson.register(api, { organizationName: "Acme" });
    const path = `/api/orgs/${person.orgId}`;
    expect((await person.call("GET", path)).body.data).toMatchObject({ name: "Acme", role: "owner" });
    expect((await person.call("PATCH", path, { name: "Acme Ltd" })).body.data).toMatchObject({
      name: "Acme Ltd",
    });
  });

  it("can be one of several of a user", async () => {
    const person = await TestPerson.register(api);
    const made = (await person.call("POST", "/api/orgs", { name: "Second" })).body.data as { id: string };
    const me = (await person.call("GET", "/api/auth/me")).body.data as { organizations: { id: string }[] };
    expect(me.organizations.map(({ id }) => id)).toEqual([person.orgId, made.id]);
    expect((await person.call("GET", `/api/orgs/${made.id}`, undefined, made.id)).status).toBe(200);
  });
});

describe("an invitation", () => {
  it("brings somebody new in, who needs no code any more", async () => {
    const owner = await TestPerson.registerVerified(api, { organizationName: "Inviting" });
    const email = "newcomer@example.com";
    const invited = await owner.call("POST", `/api/orgs/${owner.orgId}/invitations`, {
      email: "Newcomer@Example.com",
      role: "developer",
    });
    expect(invited.status).toBe(201);
    const token = await invitationToken(email);
    const read = () => api.call("POST", "/api/invitations/read", { body: { token } });
    expect((await read()).body.data).toMatchObject({
      orgName: "Inviting",
      inviter: owner.email,
      role: "developer",
      email,
    });
    const body = { email, password: PASSWORD, invitationToken: token };
    const answer = await api.call("POST", "/api/auth/register", { body });
    expect(answer.body.data).toMatchObject({
      user: { role: "developer", verified: true },
      organization: { id: owner.orgId, name: "Inviting" },
      verification: null,
    });
    const open = await owner.call("GET", `/api/orgs/${owner.orgId}/invitations`);
    expect(open.body.data).toMatchObject({ total: 0 });
    expect((await read()).status).toBe(410);
  });

  it("is accepted with an account that has the address, by no other and once", async () => {
    const [owner, guest, other] = [
      await TestPerson.registerVerified(api),
      await TestPerson.registerVerified(api),
      await TestPerson.registerVerified(api),
    ];
    await owner.call("POST", `/api/orgs/${owner.orgId}/invitations`, { email: guest.email, role: "viewer" });
    const token = await invitationToken(guest.email);
    const accept = (person: TestPerson) => person.call("POST", "/api/invitations/accept", { token });
    expect((await accept(other)).status).toBe(403);
    expect((await accept(guest)).body.data).toMatchObject({ id: owner.orgId, role: "viewer" });
    expect((await accept(guest)).status).toBe(410);
    expect((await guest.call("GET", `/api/orgs/${owner.orgId}`, undefined, owner.orgId)).status).toBe(200);
  });

  it("is shown to whoever has verified the address, who accepts it without the mail", async () => {
    const [owner, guest, other] = [
      await TestPerson.registerVerified(api),
      await TestPerson.registerVerified(api),
      await TestPerson.registerVerified(api),
    ];
    const made = await owner.call("POST", `/api/orgs/${owner.orgId}/invitations`, {
      email: guest.email,
      role: "viewer",
    });
    const { id } = made.body.data as { id: string };
    const shownTo = async (person: TestPerson) =>
      ((await person.call("GET", "/api/auth/me")).body.data as { invitations: object[] }).invitations;
    const accept = (person: TestPerson) => person.call("POST", `/api/invitations/${id}/accept`);
    expect(await shownTo(guest)).toEqual([expect.objectContaining({ id, role: "viewer" })]);
    expect(await shownTo(other)).toEqual([]);
    expect((await accept(other)).status).toBe(404);
    expect((await accept(guest)).body.data).toMatchObject({ id: owner.orgId, role: "viewer" });
    expect(await shownTo(guest)).toEqual([]);
    expect((await accept(guest)).status).toBe(410);
  });

  it("is neither shown nor given to an account that only claims the address", async () => {
    const owner = await TestPerson.registerVerified(api);
    const claimant = await TestPerson.register(api);
    const body = { email: claimant.email, role: "viewer" };
    const made = await owner.call("POST", `/api/orgs/${owner.orgId}/invitations`, body);
    const { id } = made.body.data as { id: string };
    const me = (await claimant.call("GET", "/api/auth/me")).body.data;
    expect(me).toMatchObject({ verified: false, invitations: [] });
    expect((await claimant.call("POST", `/api/invitations/${id}/accept`)).status).toBe(404);
  });

  it("is for verified accounts to send", async () => {
    const owner = await TestPerson.register(api);
    const body = { email: "anybody@example.com", role: "viewer" };
    const refused = await owner.call("POST", `/api/orgs/${owner.orgId}/invitations`, body);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toContain("Verify your own email");
  });

  it("can be taken back, and is replaced by a newer one", async () => {
    const [owner, guest] = [await TestPerson.registerVerified(api), await TestPerson.registerVerified(api)];
    const path = `/api/orgs/${owner.orgId}/invitations`;
    await owner.call("POST", path, { email: guest.email, role: "viewer" });
    const older = await invitationToken(guest.email);
    const newer = (await owner.call("POST", path, { email: guest.email, role: "viewer" })).body.data as {
      id: string;
    };
    expect((await guest.call("POST", "/api/invitations/accept", { token: older })).status).toBe(410);
    expect((await owner.call("DELETE", `${path}/${newer.id}`)).status).toBe(200);
    expect((await owner.call("DELETE", `${path}/${newer.id}`)).status).toBe(404);
    const token = await invitationToken(guest.email);
    expect((await guest.call("POST", "/api/invitations/accept", { token })).status).toBe(410);
  });

  it("ends with the membership of who made it", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const guest = await TestPerson.registerVerified(api);
    const body = { email: guest.email, role: "admin" };
    await people.admin.call("POST", `/api/orgs/${orgId}/invitations`, body, orgId);
    const token = await invitationToken(guest.email);
    const path = `/api/orgs/${orgId}/members/${people.admin.userId}`;
    await people.owner.call("PATCH", path, { role: "viewer" }, orgId);
    expect((await guest.call("POST", "/api/invitations/accept", { token })).status).toBe(410);
  });

  it("is refused for somebody who is a member already", async () => {
    const owner = await TestPerson.registerVerified(api);
    const answer = await owner.call("POST", `/api/orgs/${owner.orgId}/invitations`, {
      email: owner.email,
      role: "admin",
    });
    expect(answer.status).toBe(409);
  });

  it("cannot carry a link of the inviter's making into the mail", async () => {
    const owner = await TestPerson.registerVerified(api, {
      organizationName: "Click https://evil.example\nnow",
      name: "A\u202eb",
    });
    await owner.call("POST", `/api/orgs/${owner.orgId}/invitations`, {
      email: "target@example.com",
      role: "viewer",
    });
    const [message] = await api.messagesTo("target@example.com");
    expect(message?.text).not.toContain("https://evil");
    expect(`${message?.subject}`).not.toMatch(/\n|\u202e/);
  });
});

describe("members", () => {
  it("are listed with their roles", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const { members } = (await people.viewer.call("GET", `/api/orgs/${orgId}/members`, undefined, orgId)).body
      .data as {
      members: { role: Role }[];
    };
    expect(members.map(({ role }) => role).toSorted()).toEqual([...ROLES].toSorted());
  });

  it.each<[Role, Role, Role, number]>([
    ["owner", "viewer", "owner", 200],
    ["owner", "admin", "viewer", 200],
    ["admin", "viewer", "admin", 200],
    ["admin", "viewer", "owner", 403],
    ["admin", "owner", "viewer", 403],
    ["developer", "viewer", "member", 403],
  ])("get roles by rank: %s makes %s %s: %d", async (actor, subject, role, status) => {
    const { orgId, people } = await TestMembers.create(api);
    const path = `/api/orgs/${orgId}/members/${people[subject].userId}`;
    expect((await people[actor].call("PATCH", path, { role }, orgId)).status).toBe(status);
  });

  it("may do at once what their new role allows, and no more what the old one did", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const rename = () => people.admin.call("PATCH", `/api/orgs/${orgId}`, { name: "X" }, orgId);
    expect((await rename()).status).toBe(200);
    await people.owner.call(
      "PATCH",
      `/api/orgs/${orgId}/members/${people.admin.userId}`,
      { role: "viewer" },
      orgId,
    );
    expect((await rename()).status).toBe(403);
  });

  it("leave by themselves, and are removed by owners and admins only", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const remove = (actor: Role, subject: Role) =>
      people[actor].call("DELETE", `/api/orgs/${orgId}/members/${people[subject].userId}`, undefined, orgId);
    expect((await remove("developer", "viewer")).status).toBe(403);
    expect((await remove("viewer", "viewer")).body.data).toMatchObject({ remainingApiKeys: 0 });
    expect((await people.viewer.call("GET", `/api/orgs/${orgId}`, undefined, orgId)).status).toBe(403);
    expect((await remove("admin", "member")).status).toBe(200);
    expect((await remove("admin", "owner")).status).toBe(403);
  });

  it("keep their last owner, also when two owners leave at once", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const leave = (person: TestPerson) =>
      person.call("DELETE", `/api/orgs/${orgId}/members/${person.userId}`, undefined, orgId);
    expect((await leave(people.owner)).status).toBe(409);
    const demoted = await people.owner.call(
      "PATCH",
      `/api/orgs/${orgId}/members/${people.owner.userId}`,
      { role: "admin" },
      orgId,
    );
    expect(demoted.status).toBe(409);
    await people.owner.call(
      "PATCH",
      `/api/orgs/${orgId}/members/${people.admin.userId}`,
      { role: "owner" },
      orgId,
    );
    const answers = await Promise.all([leave(people.owner), leave(people.admin)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it("keep their last owner from deactivating the account", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const answer = await people.owner.call("POST", "/api/auth/deactivate", { password: PASSWORD }, orgId);
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body.error).toContain("only owner of Acme");
  });
});

describe("the audit log", () => {
  it("tells owners and admins of every credential event, the failed ones too, and never a secret", async () => {
    const { orgId, people, api: here } = await TestMembers.create(api);
    await people.developer.logIn({ password: "a wrong password" });
    const made = await people.owner.call("POST", `/api/orgs/${orgId}/api-keys`, { name: "server" }, orgId);
    const { key, secret } = made.body.data as { key: { id: string }; secret: string };
    await people.owner.call("DELETE", `/api/orgs/${orgId}/api-keys/${key.id}`, undefined, orgId);
    const audit = await people.admin.call("GET", `/api/orgs/${orgId}/audit`, undefined, orgId);
    const { events, names } = audit.body.data as {
      events: { action: string; outcome: string; ip: string }[];
      names: Record<string, string>;
    };
    expect(names[key.id]).toBe("server");
    expect(events.slice(0, 3)).toMatchObject([
      { action: "api_key.revoked", outcome: "success", ip: "127.0.0.1", details: { keyId: key.id } },
      { action: "api_key.created", outcome: "success", actor: { kind: "user", id: people.owner.userId } },
      { action: "auth.sign_in", outcome: "failure", userId: people.developer.userId },
    ]);
    for (const text of [audit.text, here.logged.join("")])
      for (const hidden of [secret, PASSWORD, people.owner.accessToken, people.owner.refreshToken])
        expect(text).not.toContain(hidden);
  });

  it("is read page by page, and by action", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const read = async (query: string) =>
      (await people.owner.call("GET", `/api/orgs/${orgId}/audit?${query}`, undefined, orgId)).body.data as {
        events: { id: string; action: string }[];
        nextBefore: string | null;
      };
    const all = await read("limit=200");
    const first = await read("limit=3");
    const second = await read(`limit=200&before=${first.nextBefore}`);
    expect([...first.events, ...second.events]).toEqual(all.events);
    expect(second.nextBefore).toBeNull();
    const signIns = await read("action=auth.sign_in");
    expect(new Set(signIns.events.map(({ action }) => action))).toEqual(new Set(["auth.sign_in"]));
  });
});
