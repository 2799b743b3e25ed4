import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import { DataKeys } from "../../sealed/data-keys.ts";
import { rollDataKeys } from "../../sealed/roll-data-keys.ts";
import { CONNECTION_CREDENTIALS, rowContext } from "./rows.ts";

const SECRETS_KEY = `test:${Buffer.alloc(32, 3).toString("base64")}`;
let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start({ secretsKey: SECRETS_KEY });
});
afterAll(() => api.close());

const dataKeys = () => new DataKeys({ secrets: new SecretBox(SECRETS_KEY), nowMs: Date.now });

it("gives each organization a new data key, and what the old one sealed opens with the new one only", async () => {
  const { orgId, keys } = await createOrganization(api.database);
  const credentials = { apiKey: "rk_live_1" };
  const body = { providerId: "stripe", credentials, verify: false };
  const made = await api.call("POST", "/api/v1/integrations/connections", { key: keys.owner, body });
  expect(made.status).toBe(201);
  const row = () =>
    api.database.db
      .selectFrom("integration_connections")
      .select(["id", "credentials_sealed as sealed", "data_key_id as dataKeyId"])
      .where("org_id", "=", orgId)
      .executeTakeFirstOrThrow();
  const before = await row();
  const rolled = await rollDataKeys([CONNECTION_CREDENTIALS], {
    database: api.database,
    dataKeys: dataKeys(),
  });
  expect(rolled).toMatchObject({ orgs: 1, resealed: 1 });
  const after = await row();
  expect(after.dataKeyId).not.toBe(before.dataKeyId);
  const kept = await api.database.db
    .selectFrom("org_data_keys")
    .select("id")
    .where("org_id", "=", orgId)
    .execute();
  expect(kept.map(({ id }) => id)).toEqual([after.dataKeyId]);
  const owner = { orgId, row: rowContext(after.id) };
  expect(JSON.parse(await dataKeys().open(api.database.db, owner, after))).toEqual(credentials);
  const elsewhere = { orgId, row: rowContext("con_other") };
  await expect(dataKeys().open(api.database.db, elsewhere, after)).rejects.toMatchObject({
    code: "internal",
  });
});
