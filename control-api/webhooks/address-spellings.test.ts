import { createServer, type Server } from "node:net";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { guardedPost } from "@parley/shared/net/guarded-post.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REFUSED, resolveSpelling } from "../../testkit/address-spellings.ts";
import { TestControlApi } from "../../testkit/control-api.ts";
import { LOOK_ALIKES } from "../../testkit/look-alikes.ts";
import type { TestOrganization } from "../../testkit/organization.ts";
import { PUBLIC_V4 } from "../../testkit/url-spellings.ts";

let api: TestControlApi;
let organization: TestOrganization;
let listener: Server;
let connections = 0;
beforeAll(async () => {
  api = await TestControlApi.start({ resolve: resolveSpelling });
  organization = await api.createOrganization();
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  // On every address of this machine, of both families.
  await new Promise<void>((resolve) => listener.listen(0, resolve));
});
afterAll(async () => {
  listener.close();
  await api.close();
});

/** What each surface answers to an endpoint at `url`. */
async function register(url: string): Promise<{ status: number; code: unknown }[]> {
  const key = organization.keys.developer;
  const answers = await Promise.all([
    api.call("POST", `/api/orgs/${organization.orgId}/webhooks`, { key, body: { url } }),
    api.call("POST", "/api/v1/hooks", { key, body: { target_url: url } }),
  ]);
  return answers.map(({ status, body }) => ({ status, code: body.code }));
}

/** Posts to the listener's port there, as an attempt does, and gives the code of what came of it. */
async function connect(text: string, allowPrivateTargets: string[] = []): Promise<unknown> {
  const url = new URL(text);
  const address = listener.address();
  url.port = String(typeof address === "object" && address?.port);
  const dispatcher = createGuardedDispatcher({
    allowPrivateTargets,
    connectTimeoutMs: 2_000,
    connectionsPerHost: 1,
    keepAliveMs: 1_000,
    resolve: resolveSpelling,
  });
  const post = { headers: {}, body: "{}", timeoutMs: 4_000, keepBytes: 10 };
  const code = await guardedPost(dispatcher, url.href, post).then(
    () => "answered",
    (error: unknown) => Reflect.get(Object(error), "code"),
  );
  await dispatcher.destroy();
  return code;
}

/** Those that get as far as connecting, were they not refused before. */
const CONNECTABLE = REFUSED.filter(
  ({ url, code, group }) =>
    code === "blocked_address" ||
    (group === "user names and passwords" && new URL(url).hostname !== PUBLIC_V4),
);

describe("an address nobody may call", () => {
  it("is spelled in hundreds of ways here, none of them twice", () => {
    expect(new Set(REFUSED.map(({ url }) => url)).size).toBe(REFUSED.length);
    expect(REFUSED.length).toBeGreaterThan(400);
    expect(CONNECTABLE.length).toBeGreaterThan(300);
  });

  it.each(REFUSED.map(({ group, url, code }) => [group, url, code]))(
    "is not registered on either surface: %s, %j",
    async (_group, url, code) => {
      const refused = { status: 400, code };
      expect(await register(url)).toEqual([refused, refused]);
    },
  );

  it.each(CONNECTABLE.map(({ group, url }) => [group, url]))(
    "is not connected to: %s, %j",
    async (_group, url) => {
      connections = 0;
      expect(await connect(url)).toBe("blocked_address");
      expect(connections).toBe(0);
    },
  );

  it("would be heard here if it were", async () => {
    for (const url of ["https://127.1/", "https://0x7f.1/", "http://localhost/", "https://127。0。0。1/"]) {
      connections = 0;
      expect(await connect(url, ["0.0.0.0/0", "::/0"])).toBe("unavailable");
      expect(connections).toBeGreaterThan(0);
    }
  });
});

describe("a public address that looks like one", () => {
  it.each(LOOK_ALIKES)("is registered on both surfaces: %j", async (url) => {
    // Each in an organization of its own: one has a limited number of endpoints.
    organization = await api.createOrganization();
    const taken = { status: 201, code: undefined };
    expect(await register(url)).toEqual([taken, taken]);
  });
});
