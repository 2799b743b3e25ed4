import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { needs } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";

const BASE = "/api/v1/integrations/connections";
const ROUNDS = 8;

describe.runIf(needs("postgres"))("two control APIs on one Postgres", () => {
  let apis: TestControlApi[];
  let organization: TestOrganization;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const { url: databaseUrl, drop: dropIt } = await createTestDatabase();
    drop = dropIt;
    const secretsKey = `test:${Buffer.alloc(32, 5).toString("base64")}`;
    // One after the other: the first makes the tables.
    apis = [await TestControlApi.start({ databaseUrl, secretsKey })];
    apis.push(await TestControlApi.start({ databaseUrl, secretsKey }));
    organization = await (apis[0] as TestControlApi).createOrganization();
  });
  afterAll(async () => {
    for (const api of apis) await api.close();
    await drop();
  });

  const call = (n: number, method: string, path: string, body?: unknown) =>
    (apis[n % 2] as TestControlApi).call(method, path, {
      key: organization.keys.developer,
      ...(body === undefined ? {} : { body }),
    });

  it("make one connection of twenty equal requests", async () => {
    const body = {
      providerId: "zendesk",
      credentials: { accessToken: "t" },
      settings: { url: "https://shoes.zendesk.com" },
      verify: false,
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => call(n, "POST", BASE, body)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const [{ id } = { id: "" }] = made.map(({ body: { connection } }) => connection as { id: string });
    const others = answers.filter(({ status }) => status === 409);
    expect(others).toHaveLength(19);
    for (const other of others) expect(other.body.error).toContain(id);
  });

  it("leave no agent with a connection that was deleted while it was given to it", async () => {
    const pinned = (connectionId: string) => ({
      brain: {
        url: "https://brain.example/",
        tools: [{ kind: "connector", name: "payments", capability: "payment.lookup", connectionId }],
      },
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      const stripe = { providerId: "stripe", credentials: { apiKey: `rk_${round}` }, verify: false };
      const made = await call(round, "POST", BASE, stripe);
      const { id } = made.body.connection as { id: string };
      const [saved, deleted] = await Promise.all([
        call(round, "POST", "/api/agents", { name: `Agent ${round}`, ...pinned(id) }),
        call(round + 1, "DELETE", `${BASE}/${id}`),
      ]);
      expect([`${saved.status} ${deleted.status}`]).toEqual([expect.stringMatching(/^(201 409|400 200)$/)]);
      if (deleted.status === 409) expect(deleted.body.error).toContain(`agent Agent ${round}`);
      else expect(JSON.stringify(saved.body)).toContain("there is no such connection");
    }
  });
});
