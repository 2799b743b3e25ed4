import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { PASSWORD, TestPerson } from "../../testkit/person.ts";
import { startTwoApis } from "../../testkit/two-apis.ts";

const NEW_PASSWORD = "the owner's own password";

/** Does something again and again until it is told to stop. */
function loop(work: () => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const running = (async () => {
    while (!isOver) await work();
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

describe.runIf(needs("redis") && needs("postgres"))("somebody who knows the old password", () => {
  let nodes: Awaited<ReturnType<typeof startTwoApis>>;
  beforeAll(async () => {
    nodes = await startTwoApis();
  });
  afterAll(() => nodes.close());

  it("and signs in without a pause holds no sign-in after the owner has set a new one", async () => {
    const { one, other } = nodes;
    const person = await TestPerson.register(one);
    const tokens: string[] = [];
    const signIn = async (): Promise<void> => {
      const { status, body } = await other.call("POST", "/api/auth/login", {
        body: { email: person.email, password: PASSWORD },
      });
      if (status === 200) tokens.push((body.data as { tokens: { accessToken: string } }).tokens.accessToken);
    };
    const stops = [loop(signIn), loop(signIn), loop(signIn)];
    await expect.poll(() => tokens.length).toBeGreaterThan(3);
    await one.call("POST", "/api/auth/forgot-password", { body: { email: person.email } });
    const [message] = await one.messagesTo(person.email);
    const token = /#token=(\S+)/.exec(message?.text ?? "")?.[1];
    const reset = await one.call("POST", "/api/auth/reset-password", {
      body: { token, password: NEW_PASSWORD },
    });
    expect(reset.status).toBe(200);
    for (const stop of stops) await stop();
    for (const accessToken of tokens) {
      await expect
        .poll(async () => (await other.call("GET", "/api/auth/me", { token: accessToken })).status)
        .toBe(401);
    }
  });

  it("and changes it without a pause cannot put it back after the owner proved the address", async () => {
    const { one } = nodes;
    const squatter = await TestPerson.register(one);
    let current = PASSWORD;
    const change = async (): Promise<void> => {
      const next = current === PASSWORD ? NEW_PASSWORD : PASSWORD;
      const answer = await squatter.call("POST", "/api/auth/change-password", {
        currentPassword: current,
        newPassword: next,
      });
      if (answer.status === 200) current = next;
    };
    const stops = [loop(change), loop(change)];
    const sent = await one.call("POST", "/api/auth/login-otp", { body: { email: squatter.email } });
    const { requestId } = sent.body.data as { requestId: string };
    const body = { requestId, code: await squatter.lastCode() };
    expect((await one.call("POST", "/api/auth/login-otp/verify", { body })).status).toBe(200);
    for (const stop of stops) await stop();
    const row = await one.database.db
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", squatter.userId)
      .executeTakeFirstOrThrow();
    expect(row.password_hash).toBeNull();
  });

  it("changes it a few times an hour only: no loop keeps the owner's links worthless", async () => {
    const { one } = nodes;
    const person = await TestPerson.register(one);
    const statuses: number[] = [];
    let current = PASSWORD;
    for (let i = 0; i < 7; i++) {
      const newPassword = `password number ${i}`;
      const { status } = await person.call("POST", "/api/auth/change-password", {
        currentPassword: current,
        newPassword,
      });
      statuses.push(status);
      if (status === 200) current = newPassword;
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it("or none at all cannot keep its owner from a link, though every code of the hour is used up", async () => {
    const { one } = nodes;
    const person = await TestPerson.register(one);
    for (let i = 0; i < 6; i++)
      await one.call("POST", "/api/auth/login-otp", { body: { email: person.email } });
    for (let i = 0; i < 11; i++) await person.logIn({ password: "wrong" });
    expect((await person.logIn()).status).toBe(429);
    const forgot = await one.call("POST", "/api/auth/forgot-password", { body: { email: person.email } });
    expect(forgot.status).toBe(200);
    const changed = await person.call("POST", "/api/auth/change-password", {
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    expect(changed.status).toBe(200);
  });

  it("invitations that are followed while their maker is removed end without a fault", async () => {
    const { one, other } = nodes;
    const owner = await TestPerson.registerVerified(one);
    for (let round = 0; round < 5; round++) {
      const [admin, guest] = [await TestPerson.registerVerified(one), await TestPerson.registerVerified(one)];
      await one.database.db
        .insertInto("memberships")
        .values({ org_id: owner.orgId, user_id: admin.userId, role: "admin" })
        .execute();
      const again = (await admin.logIn()).body.data as { tokens: { accessToken: string } };
      const path = `/api/orgs/${owner.orgId}`;
      const asAdmin = { token: again.tokens.accessToken, orgId: owner.orgId };
      const body = { email: guest.email, role: "viewer" };
      expect((await one.call("POST", `${path}/invitations`, { ...asAdmin, body })).status).toBe(201);
      const [message] = await one.messagesTo(guest.email);
      const token = /#token=(\S+)/.exec(message?.text ?? "")?.[1];
      const answers = await Promise.all([
        other.call("POST", "/api/invitations/accept", { token: guest.accessToken, body: { token } }),
        owner.call("DELETE", `${path}/members/${admin.userId}`),
      ]);
      for (const { status } of answers) expect([200, 410]).toContain(status);
    }
  });
});
