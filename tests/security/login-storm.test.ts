// Real time: two hundred passwords are hashed at once, and what somebody else waits for meanwhile is measured.
import { hash } from "@node-rs/argon2";
import { PASSWORD_COST, Passwords } from "@parley/control-api/identity/accounts/passwords.ts";
import { newId } from "@parley/shared/ids.ts";
import { describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { PASSWORD, TestPerson } from "../../testkit/person.ts";

describe("two hundred people who sign in at once from one address", () => {
  it("all get in, and whoever comes with a token meanwhile does not wait for them", async () => {
    const api = await TestControlApi.start({ passwordCost: PASSWORD_COST });
    const person = await TestPerson.register(api);
    const emails = await createPeople(api, 200);
    let left = emails.length;
    const storm = emails.map(async (email) => {
      const { status } = await api.call("POST", "/api/auth/login", { body: { email, password: PASSWORD } });
      left -= 1;
      return status;
    });
    let answers = 0;
    while (left > 100) {
      expect((await person.call("GET", "/api/auth/sessions")).status).toBe(200);
      answers += 1;
    }
    // Had it waited in the same queue, it would have been answered after all of them.
    expect(answers).toBeGreaterThan(1);
    expect(new Set(await Promise.all(storm))).toEqual(new Set([200]));
    await api.close();
  });
});

async function createPeople(api: TestControlApi, count: number): Promise<string[]> {
  const passwordHash = await hash(PASSWORD, { ...PASSWORD_COST, parallelism: 1 });
  const users = Array.from({ length: count }, (_, i) => ({
    id: newId("usr"),
    email: `storm-${i}@example.com`,
    password_hash: passwordHash,
    status: "active" as const,
    created_at: new Date(),
  }));
  await api.database.db.insertInto("users").values(users).execute();
  return users.map(({ email }) => email);
}

describe("the queue of passwords", () => {
  it("works on a few at a time, and says no beyond a bound", async () => {
    let longest = 0;
    const passwords = new Passwords({ gauge: { set: (value) => (longest = Math.max(longest, value)) } });
    const results = await Promise.allSettled(
      Array.from({ length: 1_020 }, () => passwords.matches(undefined, "x")),
    );
    const refused = results.filter(({ status }) => status === "rejected");
    expect(longest).toBe(1_000);
    expect(refused).toHaveLength(18);
    expect(refused[0]).toMatchObject({ reason: { code: "unavailable", retryAfterSecs: 5 } });
  }, 120_000);
});
