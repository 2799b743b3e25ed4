import { appUserSchema } from "@parley/platform/methods/members.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { ROLES } from "@parley/shared/contracts/roles.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  agree,
  bundleOf,
  installApp,
  listForAll,
  openFrame,
  publishZip,
  TestBridge,
} from "../../testkit/apps.ts";
import { TestControlApi } from "../../testkit/control-api.ts";
import { TestPerson } from "../../testkit/person.ts";
import { openStoredFiles } from "../records/recordings/stored-files.ts";
import { DataKeys } from "../sealed/data-keys.ts";
import { readBundleFile } from "./bundles/store.ts";
import { exportData } from "./installs/export.ts";
import { openSecret } from "./installs/settings.ts";
import { useAppKey } from "./keys/store.ts";

const SECRETS_KEY = `test:${Buffer.alloc(32, 7).toString("base64")}`;

let api: TestControlApi;
let person: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true, secretsKey: SECRETS_KEY });
});
afterAll(() => api.close());

const bytes = (text: string) => new TextEncoder().encode(text);
const fresh = async (): Promise<TestPerson> => {
  person = await TestPerson.register(api);
  return person;
};
const apps = (path = "") => `/api/orgs/${person.orgId}/apps${path}`;
const audited = async (): Promise<string[]> => {
  const rows = api.database.db.selectFrom("audit_events").select("action").where("org_id", "=", person.orgId);
  return (await rows.where("action", "like", "app%").orderBy("id").execute()).map(({ action }) => action);
};

describe("a bundle", () => {
  it("is published as a version, activated and listed with how it is drawn", async () => {
    await fresh();
    const manifest = {
      ui: {
        entry: "index.js",
        pages: [{ id: "panel", title: "Panel", icon: "rocket", menu: true, group: "Tools" }],
        extensions: [{ slot: "call_detail_panel", page_id: "panel", title: "Notes" }],
      },
    };
    const appId = await installApp(person, { manifest });
    const { body } = await person.call("GET", apps());
    expect(body.data).toMatchObject({
      total: 1,
      apps: [
        {
          id: appId,
          manifestId: "call-notes",
          own: true,
          activeVersion: "1.0.0",
          install: {
            version: "1.0.0",
            needsConsent: false,
            ui: {
              pages: [{ id: "panel", icon: "box", menu: true, group: "Tools" }],
              extensions: [{ slot: "call_detail_panel", pageId: "panel" }],
            },
          },
        },
      ],
    });
    expect(await audited()).toEqual(["app.published", "app.installed"]);
  });

  it("that publish checks refuse is refused with each problem, its file and line", async () => {
    await fresh();
    const answer = await publishZip(person, bundleOf({ script: "const = 1", scopes: ["calls:read"] }));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: "validation_failed",
      details: { problems: [{ code: "SCRIPT_UNREADABLE", file: "index.js" }, { code: "SCOPE_UNUSED" }] },
    });
  });

  it("with a warning is published, and the warning stays with the version", async () => {
    await fresh();
    const answer = await publishZip(person, bundleOf({ script: 'eval("1")' }));
    expect(answer.body.data).toMatchObject({ version: { problems: [{ code: "EVAL_USED", line: 1 }] } });
  });

  it("is refused when it is no zip, leads out of itself, has a link or what nobody serves", async () => {
    await fresh();
    const manifest = { "platform.app.json": bytes("{}") };
    const link: [Uint8Array, { os: number; attrs: number }] = [
      bytes("/etc/passwd"),
      { os: 3, attrs: 0o120777 << 16 },
    ];
    const refused = async (zip: Uint8Array): Promise<string> => {
      const answer = await publishZip(person, zip);
      expect(answer.status).toBe(400);
      return String(answer.body.error);
    };
    expect(await refused(bytes("no zip"))).toMatch(/cannot be accepted: .*[^.]\.$/);
    for (const path of [
      "../evil.js",
      "/etc/evil.js",
      "a/../../evil.js",
      "a\\..\\evil.js",
      "page.html",
      "a b.js",
    ])
      expect(await refused(zipSync({ ...manifest, [path]: bytes("1") })), path).toContain(
        "cannot be accepted",
      );
    expect(await refused(zipSync({ ...manifest, "a.js": link }))).toContain("a.js is a link");
  });

  it("is sent as a zip, which the refusal of anything else says", async () => {
    await fresh();
    const answer = await fetch(`${api.api.baseUrl}${apps("/versions")}`, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/octet-stream", "x-org-id": person.orgId },
        authorization: `Bearer ${person.accessToken}`,
      },
      body: Buffer.from(bundleOf()),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      415,
      { code: "unsupported_media_type", error: expect.stringContaining("application/zip") },
    ]);
  });

  it("with a text that no database keeps is refused as its builder's mistake", async () => {
    await fresh();
    const config = { prompt: "a\0b" };
    const manifest = { agents: [{ id: "a", name: "A", config }] };
    const answer = await publishZip(person, bundleOf({ manifest }));
    expect([answer.status, answer.body.code]).toEqual([400, "validation_failed"]);
  });

  it("that unpacks to more than a bundle may have is refused before it is unpacked", async () => {
    await fresh();
    const bomb = await publishZip(person, zipSync({ "a.js": new Uint8Array(11 * 1024 * 1024) }));
    expect([bomb.status, bomb.body.code]).toEqual([413, "payload_too_large"]);
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}.txt`, bytes("x")]));
    expect((await publishZip(person, zipSync(many))).status).toBe(413);
  });

  it("is published once under its version, and only by who may publish", async () => {
    await fresh();
    expect((await publishZip(person, bundleOf())).status).toBe(201);
    expect((await publishZip(person, bundleOf())).body.code).toBe("conflict");
    const stranger = await TestPerson.register(api);
    expect((await publishZip(stranger, bundleOf(), { orgId: person.orgId })).status).toBe(403);
  });
});

describe("a version", () => {
  it("that asks for no more runs at once where the app is installed, and is rolled back", async () => {
    await fresh();
    const scopes = ["objects:note"];
    const appId = await installApp(person, { scopes });
    await publishZip(person, bundleOf({ version: "1.1.0", scopes }));
    const runs = async () =>
      ((await person.call("GET", apps(`/${appId}/install`))).body.data as { version: string }).version;
    expect(await runs()).toBe("1.1.0");
    const back = await person.call("POST", apps(`/${appId}/versions/1.0.0/activate`));
    expect(back.body.data).toMatchObject({ version: "1.0.0", active: true });
    expect(await runs()).toBe("1.0.0");
  });

  it("that asks for more waits for consent, shown in words; until then the one before runs", async () => {
    await fresh();
    const appId = await installApp(person, { scopes: ["objects:note"] });
    const more = ["objects:note", "calls:read"];
    await publishZip(person, bundleOf({ version: "2.0.0", scopes: more }));
    const { body } = await person.call("GET", apps(`/${appId}/install`));
    expect(body.data).toMatchObject({
      version: "1.0.0",
      needsConsent: true,
      wanted: [{ scope: "calls:read", words: expect.stringContaining("Read calls") }],
    });
    const path = apps(`/${appId}/install`);
    const agreeTo = (version: string, scopes: string[]) => person.call("PUT", path, { version, scopes });
    expect((await agreeTo("2.0.0", ["objects:note"])).body.code).toBe("conflict");
    expect((await agreeTo("1.0.0", ["objects:note"])).body.code).toBe("conflict");
    expect((await agreeTo("2.0.0", more)).body.data).toMatchObject({
      version: "2.0.0",
      needsConsent: false,
      wanted: [],
    });
    expect((await audited()).at(-1)).toBe("app.consented");
  });

  it("that was withdrawn cannot be activated again, and opens no frame", async () => {
    await fresh();
    const appId = await installApp(person, {});
    await publishZip(person, bundleOf({ version: "1.1.0", scopes: ["calls:read"] }));
    const withdraw = (version: string) => person.call("POST", apps(`/${appId}/versions/${version}/withdraw`));
    expect((await withdraw("1.1.0")).body.code).toBe("conflict");
    const entry = () => readBundleFile(api.database, { appId, version: "1.0.0", path: "index.js" });
    expect(String(await entry())).toBe("export {};");
    expect((await withdraw("1.0.0")).status).toBe(200);
    expect(await entry()).toBeUndefined();
    expect((await person.call("POST", apps(`/${appId}/versions/1.0.0/activate`))).body.code).toBe("conflict");
    expect((await person.call("POST", apps(`/${appId}/frames`), { pageId: "panel" })).status).toBe(410);
  });
});

describe("an app", () => {
  it("of another organization is not there, until the operator lists it", async () => {
    const owner = await fresh();
    const appId = await installApp(owner, {});
    const other = await TestPerson.register(api);
    const seen = (path = "") => other.call("GET", `/api/orgs/${other.orgId}/apps/${appId}${path}`);
    expect((await seen()).status).toBe(404);
    expect((await seen("/install")).status).toBe(404);
    await expect(agree(other, appId, {})).rejects.toThrow("404");
    await listForAll(api, appId);
    expect((await seen()).body.data).toMatchObject({
      own: false,
      install: null,
      versions: [{ version: "1.0.0" }],
    });
    await agree(other, appId, {});
    expect((await seen("/install")).status).toBe(200);
    const activate = await other.call(
      "POST",
      `/api/orgs/${other.orgId}/apps/${appId}/versions/1.0.0/activate`,
    );
    expect(activate.status).toBe(404);
  });

  it("keeps secrets sealed, shows them to nobody, and its other settings to its frames", async () => {
    await fresh();
    const settings = [
      { key: "subdomain", label: "Subdomain", type: "text", required: true },
      { key: "verbose", label: "Verbose", type: "boolean", default: true },
      { key: "token", label: "Token", type: "secret", hosts: ["api.example.com"] },
    ];
    const scopes = ["http:api.example.com"];
    const appId = await installApp(person, { scopes, manifest: { settings } });
    const change = (changes: object) =>
      person.call("PATCH", apps(`/${appId}/settings`), { settings: changes });
    expect((await person.call("GET", apps(`/${appId}/install`))).body.data).toMatchObject({
      missingSettings: ["subdomain"],
    });
    const changed = await change({ subdomain: "acme", token: "hunter2-secret" });
    expect(changed.text).not.toContain("hunter2-secret");
    expect(changed.body.data).toMatchObject({
      missingSettings: [],
      settings: [{ value: "acme" }, { value: true }, { key: "token", value: null, isSet: true }],
    });
    const stored = await api.database.db
      .selectFrom("app_secrets")
      .select("sealed")
      .where("app_id", "=", appId)
      .execute();
    expect(stored).toHaveLength(1);
    expect(stored[0]?.sealed).not.toContain("hunter2");
    const dataKeys = new DataKeys({ secrets: new SecretBox(SECRETS_KEY), nowMs: Date.now });
    const opened = openSecret(api.database.db, { orgId: person.orgId, appId }, "token", dataKeys);
    expect(await opened).toBe("hunter2-secret");
    const frame = await person.call("POST", apps(`/${appId}/frames`), { pageId: "panel" });
    expect(frame.body.data).toMatchObject({ settings: { subdomain: "acme", verbose: true } });
    expect(frame.text).not.toContain("hunter2-secret");
    expect((await change({ other: "x" })).body.error).toContain("no setting other");
    expect((await change({ verbose: "yes" })).body.error).toContain("boolean");
    await change({ token: null });
    expect((await person.call("GET", apps(`/${appId}/install`))).body.data).toMatchObject({
      settings: [{}, {}, { isSet: false }],
    });
  });

  it("has keys for its backend, stored as a SHA-256, shown once and revoked", async () => {
    await fresh();
    const appId = await installApp(person, {});
    const made = await person.call("POST", apps(`/${appId}/keys`), { name: "backend" });
    const { key, secret } = made.body.data as { key: { id: string; lastFour: string }; secret: string };
    expect(secret).toMatch(/^parley_app_[\w-]{43}$/);
    const rows = api.database.db.selectFrom("app_keys").select("secret_hash").where("id", "=", key.id);
    expect((await rows.executeTakeFirst())?.secret_hash).toBe(sha256Hex(secret));
    const listed = await person.call("GET", apps(`/${appId}/keys`));
    expect(listed.text).not.toContain(secret);
    const use = () => useAppKey(api.database.db, sha256Hex(secret), new Date());
    expect(await use()).toEqual({ keyId: key.id, orgId: person.orgId, appId });
    const revoked = await person.call("DELETE", apps(`/${appId}/keys/${key.id}`));
    expect(await use()).toBeUndefined();
    expect(revoked.body.data).toMatchObject({ key: { revokedAt: expect.any(String) } });
    expect(await audited()).toEqual(expect.arrayContaining(["app_key.created", "app_key.revoked"]));
  });

  it("gives all that it keeps to who uninstalls it, and to nobody else", async () => {
    await fresh();
    const scopes = ["objects:note", "files:write"];
    const appId = await installApp(person, { scopes });
    const bridge = await TestBridge.open(person, appId);
    await bridge.call("data.create", { type: "note", data: { title: "kept" } });
    await bridge.callWithBytes("files.put", { path: "a/b.txt" }, "hello");
    const { status, text } = await person.call("GET", apps(`/${appId}/export`));
    expect(status).toBe(200);
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { record: { objectType: "note", data: { title: "kept" } } },
      { file: { path: "a/b.txt", sizeBytes: 5, base64: Buffer.from("hello").toString("base64") } },
    ]);
    expect((await audited()).at(-1)).toBe("app.exported");
    const other = await TestPerson.register(api);
    const theirs = `/api/orgs/${other.orgId}/apps/${appId}/export`;
    expect((await other.call("GET", theirs)).status).toBe(404);
  });

  it("exports what is there to the end when files are deleted meanwhile", async () => {
    await fresh();
    const appId = await installApp(person, { scopes: ["files:write"] });
    const bridge = await TestBridge.open(person, appId);
    const paths = ["a.txt", "b.txt", "c.txt"];
    for (const path of paths) await bridge.callWithBytes("files.put", { path }, "hello");
    const { storage } = loadConfig({ DATA_DIR: api.dataDir });
    const files = { recordings: openStoredFiles(storage), database: api.database };
    const told: string[] = [];
    for await (const line of exportData({ orgId: person.orgId, appId }, files)) {
      told.push((JSON.parse(line) as { file: { path: string } }).file.path);
      if (told.length === 1) await bridge.call("files.delete", { path: "b.txt" });
    }
    expect(told).toEqual(["a.txt", "c.txt"]);
  });

  it("is uninstalled with its keys and secrets, and opens no frame any more", async () => {
    await fresh();
    const appId = await installApp(person, {});
    await person.call("POST", apps(`/${appId}/keys`), { name: "backend" });
    await openFrame(person, appId);
    expect((await person.call("DELETE", apps(`/${appId}/install`))).status).toBe(200);
    expect((await person.call("DELETE", apps(`/${appId}/install`))).status).toBe(404);
    expect((await person.call("POST", apps(`/${appId}/frames`), { pageId: "panel" })).status).toBe(404);
    expect(
      await api.database.db.selectFrom("app_keys").select("id").where("app_id", "=", appId).execute(),
    ).toEqual([]);
    expect((await audited()).at(-1)).toBe("app.uninstalled");
  });

  it("tells its frames the user's name and email with that scope only", async () => {
    await fresh();
    const plain = await installApp(person, { id: "plain-app" });
    const nosy = await installApp(person, { id: "nosy-app", scopes: ["user:profile"] });
    const user = async (appId: string) =>
      (
        (await person.call("POST", apps(`/${appId}/frames`), { pageId: "panel" })).body.data as {
          user: object;
        }
      ).user;
    expect(await user(plain)).toEqual({ id: person.userId, role: "owner", permissions: expect.any(Array) });
    expect(await user(nosy)).toMatchObject({ email: person.email });
  });
});

it("the bridge knows the roles that members have", () => {
  expect([...appUserSchema.shape.role.unwrap().options].sort()).toEqual([...ROLES].sort());
});
