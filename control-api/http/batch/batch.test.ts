import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { memberOnly } from "../../../testkit/members.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
let owner: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start();
  owner = await TestPerson.register(api);
});
afterAll(() => api.close());

interface Read {
  readonly path: string;
  readonly orgId?: string;
}

/** Answers in the order of the reads. */
async function batch(person: TestPerson, ...reads: Read[]): Promise<{ status: number; body: unknown }[]> {
  const answer = await api.call("POST", "/api/batch", { token: person.accessToken, body: { reads } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const lines = answer.text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { at: number; status: number; body: unknown });
  return lines.toSorted((one, other) => one.at - other.at).map(({ status, body }) => ({ status, body }));
}

const members = (orgId: string): Read => ({ path: `/api/orgs/${orgId}/members`, orgId });

it("answers each read as its route would by itself", async () => {
  const reads = [
    members(owner.orgId),
    { path: "/api/auth/me" },
    { path: "/api/agents?limit=none", orgId: owner.orgId },
  ];
  const alone = await Promise.all(
    reads.map(({ path, orgId }) =>
      api.call("GET", path, { token: owner.accessToken, ...(orgId ? { orgId } : {}) }),
    ),
  );
  expect(alone.map(({ status }) => status)).toEqual([200, 200, 400]);
  expect(await batch(owner, ...reads)).toEqual(alone.map(({ status, body }) => ({ status, body })));
});

it("refuses a read by the rule of its own route, and answers the others", async () => {
  const viewer = await memberOnly(api, owner.orgId, "viewer");
  const stranger = await TestPerson.register(api);
  const audit = { path: `/api/orgs/${owner.orgId}/audit`, orgId: owner.orgId };
  const statuses = async (person: TestPerson) =>
    (await batch(person, audit, members(owner.orgId))).map(({ status }) => status);
  expect(await statuses(owner)).toEqual([200, 200]);
  expect(await statuses(viewer)).toEqual([403, 200]);
  expect(await statuses(stranger)).toEqual([403, 403]);
});

it("reaches nothing but the API, and neither streams nor files", async () => {
  const answers = await batch(
    owner,
    { path: "/api/../metrics" },
    { path: "/api/no-such-thing" },
    { path: "/api/me/incoming-calls", orgId: owner.orgId },
    { path: `/api/orgs/${owner.orgId}/changes`, orgId: owner.orgId },
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400]);
  expect(answers[2]?.body).toMatchObject({ code: "bad_request" });
});

it("leaves no stream open that it has refused", async () => {
  const many = await TestPerson.register(api);
  const stream = { path: "/api/me/incoming-calls", orgId: many.orgId };
  for (let time = 0; time < 3; time++) await batch(many, ...Array.from({ length: 6 }, () => stream));
  const abort = new AbortController();
  const opened = await fetch(`${api.api.baseUrl}${stream.path}`, {
    signal: abort.signal,
    headers: { authorization: `Bearer ${many.accessToken}`, "x-org-id": many.orgId },
  });
  expect(opened.status, "at most eight are open at once").toBe(200);
  abort.abort();
});

it("is for people who are signed in, and for so many reads", async () => {
  const send = async (reads: readonly object[], token?: string) =>
    (await api.call("POST", "/api/batch", { body: { reads }, ...(token ? { token } : {}) })).status;
  const read = { path: "/api/auth/me" };
  expect(await send([read])).toBe(401);
  expect(await send([], owner.accessToken)).toBe(400);
  expect(await send(Array(24).fill(read), owner.accessToken)).toBe(200);
  expect(await send(Array(25).fill(read), owner.accessToken)).toBe(400);
  expect(await send([{ path: "https://example.com/api/" }], owner.accessToken)).toBe(400);
});

it("is no request that crashed when its page is left", async () => {
  const body = JSON.stringify({ reads: Array(24).fill({ path: "/api/auth/me" }) });
  const headers = { authorization: `Bearer ${owner.accessToken}`, "content-type": "application/json" };
  for (let afterMs = 0; afterMs < 20; afterMs++) {
    const signal = AbortSignal.timeout(afterMs);
    await fetch(`${api.api.baseUrl}/api/batch`, { method: "POST", headers, body, signal }).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    );
  }
  expect(await batch(owner, { path: "/api/auth/me" })).toMatchObject([{ status: 200 }]);
  expect(api.logged.join("")).not.toMatch(/request_crashed|batch_broken/);
});
