import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { FakeInstagram } from "../../testkit/fakes/messaging/instagram.ts";
import { TestMembers } from "../../testkit/members.ts";
import { TestPerson } from "../../testkit/person.ts";
import { NAUGHTY_STRINGS } from "./naughty-strings.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: Schema;
}

const OPERATOR = "operator@example.com";

let instagram: FakeInstagram;
let api: TestControlApi;
let members: TestMembers;
let operator: TestPerson;
let operations: Operation[];

beforeAll(async () => {
  instagram = await FakeInstagram.start();
  api = await TestControlApi.start({
    env: {
      TRUST_PROXY: "127.0.0.1/32",
      OPERATORS: OPERATOR,
      INTEGRATION_URLS: `instagram=${instagram.url}`,
    },
  });
  members = await TestMembers.create(api);
  operator = await TestPerson.registerVerified(api, { email: OPERATOR });
  await api.registerNode({ maxCalls: 1_000_000 });
  const { body } = await api.call("GET", "/docs/json");
  const paths = body.paths as Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>
  >;
  const { schemas } = body.components as { schemas: Record<string, Schema> };
  const resolved = (schema: Schema): Schema => {
    const known = schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
    const { properties, items } = known;
    const anyOf = known.anyOf ?? known.oneOf;
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, resolved(field)] as const);
    return {
      ...known,
      ...(properties ? { properties: Object.fromEntries(fields) } : {}),
      ...(anyOf ? { anyOf: anyOf.map(resolved) } : {}),
      ...(items ? { items: resolved(items) } : {}),
    };
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      // What apps ask for themselves: their token is looked at first, and nobody here has one.
      const isOfApps = path.startsWith("/api/app-");
      return schema && !isOfApps
        ? [{ method: method.toUpperCase(), path, body: objectOf(resolved(schema)) }]
        : [];
    }),
  );
});
afterAll(async () => {
  await api.close();
  instagram.close();
});

function objectOf(schema: Schema): Schema {
  return schema.properties ? schema : (schema.anyOf?.find(({ properties }) => properties) ?? {});
}

/** What a field would take. */
function sample({ type, enum: values, const: only, items, anyOf }: Schema, name: string): unknown {
  if (values) return values[0];
  if (only !== undefined) return only;
  if (anyOf) return sample(anyOf[0] ?? {}, name);
  if (name === "allowedOrigins") return ["https://shop.example"];
  if (name === "agentId") return members.agentId;
  if (type === "array") return items ? [sample(items, name)] : [];
  if (type === "object") return {};
  if (type === "integer" || type === "number") return 60;
  return "a sample of text";
}

const IDENTIFIERS = ["identifier", "email", "phone", "mobile"];
/** Fields of which a body has one or none; each is tried by itself. */
const ALTERNATIVES = [...IDENTIFIERS, "mfaToken", "recoveryCode", "invitationToken", "maxMessages"];

let requests = 0;
/** Of the owner; forgotten when a request may have ended it. To ask about it each time would double the requests. */
let signedIn: string | undefined;
/** As somebody who may do it, each time from another address: what is tried here is the input, not the limits. */
async function send({ method, path }: Operation, body: unknown) {
  requests += 1;
  const isForAnybody =
    path.startsWith("/api/auth/") &&
    !/me|mfa\/(setup|verify|disable)|change|logout|deactivate|verification|sessions/.test(path);
  const concrete = path
    .replace("{orgId}", members.orgId)
    .replace("{idp}", "none")
    .replace("{slug}", "nobody-here")
    .replace(/\{\w+\}/g, "ses_none");
  const answer = await api.call(method, concrete, {
    ...(path.startsWith("/api/v1/") ? { key: members.keys.owner } : {}),
    ...(isForAnybody || path.startsWith("/api/v1/")
      ? {}
      : { token: await tokenFor(path), orgId: members.orgId }),
    headers: { "x-forwarded-for": `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}` },
    body,
  });
  if (path.startsWith("/api/auth/") || answer.status === 401) signedIn = undefined;
  return answer;
}

/** A visitor's route takes a client token and nothing else; an operator's, an operator. */
async function tokenFor(path: string): Promise<string> {
  if (path.startsWith("/api/operator/")) return operator.accessToken;
  if (path.startsWith("/api/public/chat")) return members.clientToken();
  signedIn ??= await members.token("owner");
  return signedIn;
}

/** Each route belongs to one; together they are thousands of requests. */
const SURFACES: readonly (readonly [string, (path: string) => boolean])[] = [
  ["/api/auth", (path) => path.startsWith("/api/auth/")],
  ["/api/v1 and what is public", (path) => /^\/api\/(v1|public)\//.test(path)],
  ["an organization's settings", (path) => path.startsWith("/api/orgs/")],
  ["all others", (path) => !/^\/api\/(auth|v1|public|orgs)\//.test(path)],
];

describe("every string field of every body", () => {
  it.each(SURFACES)("takes a naughty string or refuses it with a reason: %s", async (_surface, isOfIt) => {
    const ofSurface = operations.filter(({ path }) => isOfIt(path));
    expect(ofSurface.length).toBeGreaterThan(5);
    for (const operation of ofSurface) {
      const fields = Object.entries(operation.body.properties ?? {});
      const whole = Object.fromEntries(
        fields
          .filter(([name]) => !ALTERNATIVES.includes(name))
          .map(([name, field]) => [name, sample(field, name)]),
      );
      for (const [name, field] of fields) {
        if (field.type !== "string") continue;
        const identified =
          "identifier" in (operation.body.properties ?? {}) && !IDENTIFIERS.includes(name)
            ? { identifier: "somebody@example.com" }
            : {};
        const sent = NAUGHTY_STRINGS.map(async (naughty) => {
          const { status, body } = await send(operation, { ...whole, ...identified, [name]: naughty });
          const what = `${operation.method} ${operation.path} ${name}=${JSON.stringify(naughty).slice(0, 40)}`;
          expect(status, what).toBeLessThan(500);
          if (status >= 400) expect(String(body.error).length, what).toBeGreaterThan(5);
        });
        await Promise.all(sent);
      }
    }
    const unexpected = api.logged.filter((line) => /"level":(50|60)/.test(line));
    expect(unexpected).toEqual([]);
  });

  it("refuses another type, and a field nobody asked for, by name", async () => {
    for (const operation of operations) {
      const fields = Object.entries(operation.body.properties ?? {});
      // What a body is one kind of must be said before anything else of it is read.
      const kinds = fields.filter(([, field]) => field.const !== undefined);
      const kind = Object.fromEntries(kinds.map(([name, field]) => [name, field.const]));
      const unknown = await send(operation, { ...kind, isAdmin: true });
      expect(unknown.status, `${operation.method} ${operation.path}`).toBe(400);
      // The management API ignores what it does not know, and still asks for the url.
      if (!operation.path.endsWith("/webhooks")) expect(unknown.body.error).toContain("isAdmin");
      for (const [name] of fields) {
        const answer = await send(operation, { ...kind, [name]: { $gt: "" } });
        expect([200, 201], `${operation.path} ${name}`).not.toContain(answer.status);
      }
    }
  });
});

describe("a naughty string", () => {
  it("reaches what is behind the schemas: one that is an identifier is looked up", async () => {
    const lookup = operations.find(({ path }) => path === "/api/auth/lookup");
    const { status } = await send(lookup as Operation, { identifier: "o'brien+'or''='@example.com" });
    expect(status).toBe(200);
  });

  it("inside of values, in queries and in paths is taken or refused with a reason", async () => {
    const token = await members.token("owner");
    const { orgId, agentId } = members;
    for (const naughty of NAUGHTY_STRINGS) {
      const text = naughty.isWellFormed() ? encodeURIComponent(naughty.slice(0, 500)) : "%ff";
      const answers = [
        await api.call("POST", "/api/client-tokens", {
          token,
          orgId,
          body: { agentId, variables: { name: naughty } },
        }),
        await api.call("POST", "/api/client-tokens", {
          token,
          orgId,
          body: { agentId, variables: { [naughty]: "x" } },
        }),
        await api.call("GET", `/api/orgs/${orgId}/audit?action=${text}&before=${text}`, { token, orgId }),
        await api.call("DELETE", `/api/orgs/${orgId}/api-keys/${text}`, { token, orgId }),
        await api.call("DELETE", `/api/auth/sessions/${text}`, { token }),
        await api.call("GET", `/api/v1/calls/${text}`, { key: members.keys.viewer }),
      ];
      for (const { status, body } of answers) {
        expect(status, naughty.slice(0, 40)).toBeLessThan(500);
        if (status >= 400) expect(String(body.error).length).toBeGreaterThan(5);
      }
    }
    expect(api.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });
});

describe("a body", () => {
  const raw = (text: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
    api.call("POST", "/api/auth/lookup", { body: text, headers });

  it.each([
    ['{"identifier":"a@example.com","__proto__":{"isAdmin":true}}', 400],
    ['{"identifier":"a@example.com","constructor":{"prototype":{"isAdmin":true}}}', 400],
    ['{"identifier":"a@example.com"', 400],
    ["[]", 400],
    ["null", 400],
    ['"a@example.com"', 400],
    ["{}".repeat(2), 400],
    [`{"identifier":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, 400],
    [`{"identifier":"${"a".repeat(1_048_576)}"}`, 413],
  ])("of %.60s is refused", async (text, status) => {
    const answer = await raw(text);
    expect(answer).toMatchObject({ status, body: { success: false, error: expect.any(String) } });
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  });

  it.each([
    ["a NUL character", '{"identifier":"a\\u0000@example.com"}', "NUL"],
    ["a NUL character in a key", '{"a\\u0000":1}', "NUL"],
    ["half of a surrogate pair", '{"identifier":"\\ud800"}', "surrogate"],
    ["deep nesting around a NUL", `{"a":${"[".repeat(50_000)}"\\u0000"${"]".repeat(50_000)}}`, "NUL"],
  ])("with %s is refused in words", async (_what, text, word) => {
    const { status, body } = await raw(text);
    expect(status).toBe(400);
    expect(body.error).toContain(word);
  });

  it("that writes of such characters, its backslash escaped, is taken as the text it is", async () => {
    const name = String.raw`[\u0000-\u001f] \ud800`;
    const answer = await api.call("POST", "/api/agents", {
      key: members.keys.owner,
      body: JSON.stringify({ name, brain: { url: "https://brain.example" } }),
    });
    expect(answer.body).toMatchObject({ data: { name } });
  });

  it("that is not UTF-8 is refused in words, and one with every kind of character is not", async () => {
    const send = (body: Buffer) =>
      fetch(`${api.api.baseUrl}/api/auth/lookup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: Uint8Array.from(body),
      });
    const latin1 = await send(Buffer.from('{"identifier":"ren\u00e9@example.com"}', "latin1"));
    expect(latin1.status).toBe(400);
    expect((await latin1.json()) as object).toMatchObject({
      code: "bad_request",
      error: expect.stringContaining("UTF-8"),
    });
    expect((await send(Buffer.from('{"identifier":"+14155550123"}', "utf8"))).status).toBe(200);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "as %s is refused: no form of another site can send it",
    async (type) => {
      expect((await raw('{"identifier":"a@example.com"}', { "content-type": type })).status).toBe(415);
    },
  );
});

describe("what is no request, or one of no known form,", () => {
  it("that is compressed is refused in words", async () => {
    const compressed = await api.call("POST", "/api/auth/lookup", {
      body: "\x1f\x8b",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    });
    expect(compressed).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });

  it("that names something in an endless part of its address is told so", async () => {
    const { status, body } = await api.call("GET", `/api/v1/calls/${"a".repeat(101)}`, {
      key: members.keys.owner,
    });
    expect(status).toBe(400);
    expect(body.error).toContain("longer than any id");
  });

  it.each([
    ["an unknown method", "FLY /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["endless headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("is refused in the form of every other refusal: %s", async (_name, request, status) => {
    const socket = connect(Number(new URL(api.api.baseUrl).port), "127.0.0.1");
    socket.write(request);
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(body)).toEqual({ success: false, error: expect.any(String), code: "bad_request" });
  });
});

describe("a header that is sent twice", () => {
  it.each([
    [["X-API-Key", "a", "x-api-key", "b"], "/api/v1/me"],
    [["Authorization", "Bearer a", "authorization", "Bearer b"], "/api/auth/me"],
  ])("is refused: %j", async (headers, path) => {
    expect(await statusOf(path, headers)).toBe(400);
  });

  it("is refused for X-Org-Id, whatever the first one says", async () => {
    const { orgId, stranger } = members;
    const token = await members.token("owner");
    const headers = ["Authorization", `Bearer ${token}`, "X-Org-Id", orgId, "X-Org-Id", stranger.orgId];
    expect(await statusOf(`/api/orgs/${orgId}`, headers)).toBe(400);
  });

  it("is refused beside another credential", async () => {
    const both = { key: members.keys.viewer, token: await members.token("owner"), orgId: members.orgId };
    expect((await api.call("DELETE", "/api/sessions/ses_none", both)).status).toBe(400);
  });

  /** `fetch` joins headers; the bare client sends what it is given. */
  function statusOf(path: string, headers: string[]): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const url = new URL(path, api.api.baseUrl);
      const outgoing = httpRequest(url, { headers: ["Host", url.host, ...headers] as never }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
  }
});

describe("a trick in {orgId}", () => {
  const tricks = (orgId: string, other: string): string[] => [
    `${other}%2f..%2f${orgId}`,
    `${orgId}%00`,
    `${orgId}%2e`,
    `${orgId}%20`,
    `${orgId};${other}`,
    `${orgId},${other}`,
    `${orgId.toUpperCase()}`,
    `${orgId}%0a`,
    `%252e%252e`,
    `${`${orgId}?orgId=${other}`.split("?")[0]}%3ForgId`,
    "*",
    "' or '1'='1",
    "%ff%fe",
    "a".repeat(5_000),
    "undefined",
    "__proto__",
  ];

  it("opens nothing to a stranger, and to a member only what is theirs", async () => {
    const { orgId, stranger } = members;
    for (const trick of tricks(orgId, stranger.orgId)) {
      for (const token of [await members.strangersToken(), await members.token("owner")]) {
        const own = token === (await members.token("owner")) ? orgId : stranger.orgId;
        const { status, body } = await api.call("GET", `/api/orgs/${trick}/members`, { token, orgId: own });
        expect([400, 403, 404, 414], trick).toContain(status);
        expect(body.success, trick).toBe(false);
      }
    }
  });

  it("that walks out of the path and in again is what it resolves to, with the rule of that", async () => {
    const { orgId, stranger } = members;
    const token = await members.strangersToken();
    const path = `/api/orgs/${stranger.orgId}/../${orgId}/members`;
    expect((await api.call("GET", path, { token, orgId: stranger.orgId })).status).toBe(403);
  });
});
