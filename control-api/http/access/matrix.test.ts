import { APP_PAGES } from "@parley/shared/contracts/app-pages.ts";
import { newId } from "@parley/shared/ids.ts";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAMPAIGN_ROUTES } from "../../../testkit/access-campaigns.ts";
import { IDENTITY_ROUTES } from "../../../testkit/access-identity.ts";
import { KNOWLEDGE_ROUTES } from "../../../testkit/access-knowledge.ts";
import {
  CALL_PLACERS,
  CALLERS,
  type Caller,
  IN_ORG,
  IN_ORG_BOTH,
  KEY_MAKERS,
  MANAGERS,
  ORG_READ,
  ORG_WRITE,
  OWN_ACCOUNT,
  PUBLIC,
  type Row,
  STREAM_OPENERS,
  type USERS,
  V1_READ,
  V1_WRITE,
  VISITOR_CHAT,
  WEB_CALL,
  WEBHOOK_DELETERS,
  WEBHOOK_MAKERS,
} from "../../../testkit/access-rows.ts";
import { BILLING_ROWS } from "../../../testkit/billing-access-rows.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { PUBLIC_AGENT_ROWS } from "../../../testkit/public-agent-rows.ts";
import { accessPlugin } from "../plugins/access.ts";

const SIGN_IN = ["/sign-in", "/sign-in/oidc/:idp", "/sign-up"];
const APP = APP_PAGES.flatMap((page) => [page, `${page}/*`]);
const PAGES = ["/", "/talk", "/forgot-password", "/reset-password", "/invitation", ...SIGN_IN, ...APP];

const MATRIX: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(PAGES.map((page) => [`GET ${page}`, PUBLIC])),
  ...BILLING_ROWS,
  ...IDENTITY_ROUTES,
  ...PUBLIC_AGENT_ROWS,
  "POST /talk/session": PUBLIC,
  "GET /assets/*": PUBLIC,
  "GET /widget.js": PUBLIC,
  "GET /healthz": PUBLIC,
  "GET /readyz": PUBLIC,
  "GET /metrics": PUBLIC,
  "GET /metrics/targets": PUBLIC,
  "GET /dev/outbox": PUBLIC,
  "GET /dev/outbox.json": PUBLIC,
  "GET /.well-known/jwks.json": PUBLIC,
  // Where apps run is nobody's secret.
  "GET /api/apps/frames": OWN_ACCOUNT,
  "GET /api/orgs/:orgId": IN_ORG,
  "GET /api/orgs/:orgId/notices": IN_ORG,
  "PATCH /api/orgs/:orgId": MANAGERS,
  "GET /api/orgs/:orgId/members": IN_ORG,
  "PATCH /api/orgs/:orgId/members/:userId": MANAGERS,
  // Whoever leaves needs no role; that others are removed by owners and admins only is the route's to say.
  "DELETE /api/orgs/:orgId/members/:userId": IN_ORG,
  "GET /api/orgs/:orgId/invitations": MANAGERS,
  "POST /api/orgs/:orgId/invitations": MANAGERS,
  "DELETE /api/orgs/:orgId/invitations/:invitationId": MANAGERS,
  "GET /api/orgs/:orgId/api-keys": IN_ORG,
  "POST /api/orgs/:orgId/api-keys": KEY_MAKERS,
  "DELETE /api/orgs/:orgId/api-keys/:keyId": MANAGERS,
  "GET /api/orgs/:orgId/analytics/overview": IN_ORG,
  "GET /api/orgs/:orgId/analytics/calls": IN_ORG,
  "GET /api/orgs/:orgId/analytics/outcomes": IN_ORG,
  "GET /api/orgs/:orgId/templates": IN_ORG,
  "POST /api/orgs/:orgId/templates/:templateId/agents": KEY_MAKERS,
  "POST /api/orgs/:orgId/team-templates/:teamId/agents": KEY_MAKERS,
  "GET /api/orgs/:orgId/audit": MANAGERS,
  "GET /api/orgs/:orgId/carriers": MANAGERS,
  "POST /api/orgs/:orgId/carriers": MANAGERS,
  "PUT /api/orgs/:orgId/carriers/:id/credentials": MANAGERS,
  "DELETE /api/orgs/:orgId/carriers/:id": MANAGERS,
  "POST /api/orgs/:orgId/mcp/verify": IN_ORG,
  "GET /api/orgs/:orgId/mcp/directory": IN_ORG,
  "GET /api/orgs/:orgId/integrations/providers": IN_ORG,
  "GET /api/orgs/:orgId/integrations/providers/:providerId": IN_ORG,
  "GET /api/orgs/:orgId/integrations/connections": IN_ORG,
  "GET /api/orgs/:orgId/integrations/connections/:id": IN_ORG,
  "GET /api/orgs/:orgId/integrations/connections/:id/runs": IN_ORG,
  "GET /api/orgs/:orgId/integrations/capabilities": IN_ORG,
  "POST /api/orgs/:orgId/tools/try": KEY_MAKERS,
  "POST /api/orgs/:orgId/integrations/connections": KEY_MAKERS,
  "PATCH /api/orgs/:orgId/integrations/connections/:id": KEY_MAKERS,
  "POST /api/orgs/:orgId/integrations/connections/:id/authorize": KEY_MAKERS,
  "POST /api/orgs/:orgId/integrations/connections/:id/test": KEY_MAKERS,
  "DELETE /api/orgs/:orgId/integrations/connections/:id": KEY_MAKERS,
  "POST /api/orgs/:orgId/mcp/oauth/start": IN_ORG,
  "POST /api/orgs/:orgId/mcp/connections": IN_ORG,
  "GET /api/orgs/:orgId/mcp/connections": IN_ORG,
  "DELETE /api/orgs/:orgId/mcp/connections/:id": IN_ORG,
  "GET /api/public/integrations/oauth/authorize": PUBLIC,
  "GET /api/public/integrations/oauth/callback": PUBLIC,
  "GET /api/public/mcp/oauth/callback": PUBLIC,
  "GET /api/public/mcp/oauth/client.json": PUBLIC,
  "GET /api/orgs/:orgId/apps": IN_ORG,
  "GET /api/orgs/:orgId/apps/:appId": IN_ORG,
  "POST /api/orgs/:orgId/apps/versions": WEBHOOK_MAKERS,
  "POST /api/orgs/:orgId/apps/:appId/versions/:version/activate": KEY_MAKERS,
  "POST /api/orgs/:orgId/apps/:appId/versions/:version/withdraw": KEY_MAKERS,
  "GET /api/orgs/:orgId/apps/:appId/install": IN_ORG,
  "PUT /api/orgs/:orgId/apps/:appId/install": MANAGERS,
  "DELETE /api/orgs/:orgId/apps/:appId/install": MANAGERS,
  "PATCH /api/orgs/:orgId/apps/:appId/settings": MANAGERS,
  "GET /api/orgs/:orgId/apps/:appId/export": MANAGERS,
  "GET /api/orgs/:orgId/apps/:appId/keys": IN_ORG,
  "POST /api/orgs/:orgId/apps/:appId/keys": KEY_MAKERS,
  "DELETE /api/orgs/:orgId/apps/:appId/keys/:keyId": MANAGERS,
  "POST /api/orgs/:orgId/apps/:appId/frames": IN_ORG,
  // What a call may do is the bridge's to say: app, scope and role.
  "POST /api/orgs/:orgId/apps/:appId/bridge": IN_ORG,
  "POST /api/orgs/:orgId/apps/:appId/bridge/bytes": IN_ORG,
  "POST /api/orgs/:orgId/apps/:appId/bridge/stream": IN_ORG,
  "POST /api/orgs/:orgId/app-streams": IN_ORG,
  "POST /api/orgs/:orgId/apps/:appId/bridge/streams/:streamId": IN_ORG,
  "GET /api/orgs/:orgId/pii-policy": MANAGERS,
  "PUT /api/orgs/:orgId/pii-policy": MANAGERS,
  "POST /api/orgs/:orgId/pii-policy/try": MANAGERS,
  "POST /api/orgs/:orgId/pii-vault/:id/read": MANAGERS,
  "GET /api/orgs/:orgId/personal-data": MANAGERS,
  "GET /api/orgs/:orgId/personal-data/export": MANAGERS,
  "POST /api/orgs/:orgId/personal-data/erase": MANAGERS,
  "GET /api/orgs/:orgId/retention": IN_ORG,
  "PATCH /api/orgs/:orgId/retention": MANAGERS,
  "GET /api/orgs/:orgId/webhooks": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/webhooks": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/webhooks/:id": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/webhooks/health": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/webhooks/:id/deliveries/:deliveryId": IN_ORG_BOTH,
  "DELETE /api/orgs/:orgId/webhooks/:id": WEBHOOK_DELETERS,
  "GET /api/orgs/:orgId/webhooks/:id/deliveries": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/webhooks/:id/test": WEBHOOK_MAKERS,
  "POST /api/orgs/:orgId/webhooks/:id/replay": WEBHOOK_MAKERS,
  "POST /api/orgs/:orgId/webhooks/:id/deliveries/:deliveryId/replay": WEBHOOK_MAKERS,
  "POST /api/public/carriers/:connectionId/calls/:sessionId": PUBLIC,
  "POST /api/public/carriers/:connectionId/calls/:sessionId/transfers/:transferId": PUBLIC,
  "POST /api/public/carriers/:connectionId/inbound": PUBLIC,
  "GET /api/v1/numbers": V1_READ,
  "POST /api/v1/numbers": V1_WRITE,
  "PATCH /api/v1/numbers/:id": V1_WRITE,
  "DELETE /api/v1/numbers/:id": V1_WRITE,
  // "`/api/voice/numbers/*`": both.
  "GET /api/voice/numbers": ORG_READ,
  "POST /api/voice/numbers": ORG_WRITE,
  "PATCH /api/voice/numbers/:id": ORG_WRITE,
  "POST /api/v1/hooks": V1_WRITE,
  "DELETE /api/v1/hooks": V1_WRITE,
  "DELETE /api/v1/hooks/:id": V1_WRITE,
  "POST /api/v1/listeners": V1_WRITE,
  "DELETE /api/v1/listeners/:id": V1_WRITE,
  "POST /api/v1/listeners/:id/claim": V1_WRITE,
  "POST /api/v1/listeners/:id/deliveries/:deliveryId": V1_WRITE,
  "GET /api/v1/events/sample": V1_READ,
  // Reads are open to any key; each mutation, testing among them, needs owner, admin or developer.
  "GET /api/v1/integrations/providers": V1_READ,
  "GET /api/v1/integrations/providers/:providerId": V1_READ,
  "GET /api/v1/integrations/connections": V1_READ,
  "GET /api/v1/integrations/connections/:id": V1_READ,
  "POST /api/v1/integrations/connections": V1_WRITE,
  "PATCH /api/v1/integrations/connections/:id": V1_WRITE,
  "PUT /api/v1/integrations/connections/:id": V1_WRITE,
  "POST /api/v1/integrations/connections/:id/authorize": V1_WRITE,
  "POST /api/v1/integrations/connections/:id/test": V1_WRITE,
  "DELETE /api/v1/integrations/connections/:id": V1_WRITE,
  "POST /api/v1/events/test": V1_WRITE,
  "GET /api/v1/me": V1_READ,
  "GET /api/v1/calls/:id": V1_READ,
  "GET /api/v1/calls/:id/recording": V1_READ,
  // Any valid key may chat; ending is a write like others.
  "POST /api/v1/chat": V1_READ,
  "OPTIONS /api/public/chat": PUBLIC,
  "POST /api/public/chat": VISITOR_CHAT,
  "OPTIONS /api/public/chat/end": PUBLIC,
  "POST /api/public/chat/end": VISITOR_CHAT,
  "GET /api/v1/chat/:sessionId/messages": V1_READ,
  "POST /api/v1/chat/:sessionId/end": V1_WRITE,
  "GET /api/v1/calls/:id/recording-url": V1_READ,
  "GET /api/v1/calls/:id/waveform": V1_READ,
  "GET /api/orgs/:orgId/calls": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/changes": IN_ORG,
  "GET /api/orgs/:orgId/calls/:id": IN_ORG_BOTH,
  "PATCH /api/orgs/:orgId/calls/:id": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/calls/:id/recording-url": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/calls/:id/waveform": IN_ORG_BOTH,
  "DELETE /api/orgs/:orgId/calls/:id/content": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/recordings": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/recordings/:id": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/call-audio/:id": IN_ORG_BOTH,
  "DELETE /api/orgs/:orgId/recordings/:id": WEBHOOK_MAKERS,
  "GET /api/public/recordings/:id": PUBLIC,
  "GET /api/orgs/:orgId/whatsapp-cloud/channels": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/whatsapp-cloud/channels": KEY_MAKERS,
  "GET /api/orgs/:orgId/whatsapp-cloud/channels/:channelId": IN_ORG_BOTH,
  "PATCH /api/orgs/:orgId/whatsapp-cloud/channels/:channelId": WEBHOOK_MAKERS,
  "DELETE /api/orgs/:orgId/whatsapp-cloud/channels/:channelId": KEY_MAKERS,
  "POST /api/orgs/:orgId/whatsapp-cloud/channels/:channelId/check": WEBHOOK_MAKERS,
  "PUT /api/orgs/:orgId/whatsapp-cloud/channels/:channelId/credentials": KEY_MAKERS,
  "POST /api/orgs/:orgId/whatsapp-cloud/channels/:channelId/messages": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/whatsapp-cloud/channels/:channelId/templates": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/whatsapp-hub/threads": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/whatsapp-hub/threads/:threadId": IN_ORG_BOTH,
  "GET /api/orgs/:orgId/whatsapp-hub/threads/:threadId/messages": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/whatsapp-hub/threads/:threadId/messages": WEBHOOK_MAKERS,
  "POST /api/orgs/:orgId/whatsapp-hub/threads/:threadId/take-over": WEBHOOK_MAKERS,
  "POST /api/orgs/:orgId/whatsapp-hub/threads/:threadId/hand-back": WEBHOOK_MAKERS,
  "POST /api/orgs/:orgId/whatsapp-hub/threads/:threadId/read": WEBHOOK_MAKERS,
  "GET /api/public/messages/:messageId/media": PUBLIC,
  "GET /api/orgs/:orgId/instagram/channels": IN_ORG,
  "POST /api/orgs/:orgId/instagram/channels": KEY_MAKERS,
  "GET /api/orgs/:orgId/instagram/channels/:channelId": IN_ORG,
  "PATCH /api/orgs/:orgId/instagram/channels/:channelId": KEY_MAKERS,
  "DELETE /api/orgs/:orgId/instagram/channels/:channelId": KEY_MAKERS,
  "POST /api/orgs/:orgId/instagram/channels/:channelId/check": KEY_MAKERS,
  "PUT /api/orgs/:orgId/instagram/channels/:channelId/credentials": KEY_MAKERS,
  "GET /api/public/whatsapp/:channelId": PUBLIC,
  "GET /api/public/instagram/:channelId": PUBLIC,
  "POST /api/public/instagram/:channelId": PUBLIC,
  "POST /api/public/whatsapp/:channelId": PUBLIC,
  ...CAMPAIGN_ROUTES,
  ...KNOWLEDGE_ROUTES,
  "GET /api/orgs/:orgId/ambient-tracks": IN_ORG_BOTH,
  "POST /api/orgs/:orgId/ambient-tracks": WEBHOOK_MAKERS,
  "GET /api/orgs/:orgId/ambient-tracks/:id/audio": IN_ORG_BOTH,
  "PATCH /api/orgs/:orgId/ambient-tracks/:id": WEBHOOK_MAKERS,
  "DELETE /api/orgs/:orgId/ambient-tracks/:id": WEBHOOK_MAKERS,
  "OPTIONS /api/sessions/init-web-call": PUBLIC,
  "POST /api/sessions/init-web-call": WEB_CALL,
  "POST /api/sessions/:id/stream": STREAM_OPENERS,
  "GET /api/sessions/:id": IN_ORG,
  "GET /api/sessions/:id/messages": IN_ORG,
  "GET /api/sessions/:id/tool-invocations": IN_ORG,
  "DELETE /api/sessions/:id": ORG_WRITE,
  "POST /api/sessions/:id/transfer": ORG_WRITE,
  "POST /api/sessions/:id/play": ORG_WRITE,
  "POST /api/sessions/init-manual-call": ORG_WRITE,
  "POST /api/sessions/:id/attach": ORG_WRITE,
  "POST /api/sessions/:id/answer": ORG_WRITE,
  "POST /api/sessions/:id/decline": ORG_WRITE,
  // What rings for a person, in one of their organizations: no key is called.
  "GET /api/me/incoming-calls": KEY_MAKERS,
  "POST /api/orgs/:orgId/loopback-calls": WEBHOOK_MAKERS,
  "POST /api/sessions/initiate-call": CALL_PLACERS,
  "POST /api/client-tokens": ORG_WRITE,
  // "`/api/catalog`, `/api/providers/*`": both.
  "GET /api/catalog": ORG_READ,
  "GET /api/providers": ORG_READ,
  "GET /api/providers/:id": ORG_READ,
  "GET /api/providers/:id/samples/:voice": ORG_READ,
  "GET /api/agents": ORG_READ,
  "POST /api/agents": ORG_WRITE,
  "GET /api/agents/:id": ORG_READ,
  "PATCH /api/agents/:id": ORG_WRITE,
  "DELETE /api/agents/:id": ORG_WRITE,
  "POST /api/agents/:id/test-brain": ORG_WRITE,
  "POST /api/agents/:id/simulations": KEY_MAKERS,
  "GET /api/agents/:id/copilot": KEY_MAKERS,
  "POST /api/agents/:id/copilot": KEY_MAKERS,
  "GET /api/agents/:id/simulations": IN_ORG,
  "GET /api/agents/:id/simulations/:reportId": IN_ORG,
  "GET /api/agents/:id/versions": ORG_READ,
  "GET /api/agents/:id/versions/:version": ORG_READ,
};

const REFUSALS = ["unauthorized", "token_invalid", "token_expired", "forbidden"];

let api: TestControlApi;
let members: TestMembers;

beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true });
  members = await TestMembers.create(api);
  await api.registerNode({ maxCalls: 1_000 });
});
afterAll(() => api.close());

/** A client token is for what the route is about: calls, or a chat. */
async function credentialsOf(
  caller: Caller,
  path: string,
): Promise<{ key?: string; token?: string; orgId?: string }> {
  const { orgId, stranger } = members;
  if (caller === "nobody") return {};
  if (caller === "unknown key") return { key: "parley_live_unknown" };
  if (caller === "revoked key") return { key: members.revokedKey };
  if (caller === "key of another organization") return { key: stranger.key };
  if (caller === "user of another organization") return { token: await members.strangersToken(), orgId };
  if (caller === "user without X-Org-Id") return { token: await members.token("owner") };
  if (caller === "user who signed out") return { token: members.endedToken, orgId };
  if (caller === "client token") {
    const mode = path.startsWith("/api/public/chat") ? "chat" : "call";
    return { token: await members.clientToken({ mode }) };
  }
  const [role, kind] = caller.split(" ") as [(typeof USERS)[number], "key" | undefined];
  return kind === "key" ? { key: members.keys[role] } : { token: await members.token(role), orgId };
}

describe("the access matrix", () => {
  it("has a row for every route that is registered, and none for others", () => {
    const registered = api.api.routes.filter(
      (route) => !/^HEAD |^(GET|OPTIONS) \/docs|^\w+ \*$/.test(route) && route !== "GET /assets/*",
    );
    const rows = Object.keys(MATRIX).filter((route) => route !== "GET /assets/*");
    expect(registered.toSorted()).toEqual(rows.toSorted());
  });

  const cases = Object.entries(MATRIX).flatMap(([route, verdicts]) =>
    CALLERS.map((caller) => [route, caller, verdicts[caller]] as const),
  );
  it.each(cases)("%s by %s: %s", async (route, caller, verdict) => {
    const [method = "GET", pattern = "/"] = route.split(" ");
    const path = pattern
      .replace(":orgId", members.orgId)
      .replace(/:(id|keyId|deliveryId|userId|sessionId|invitationId)/, newId("ses"))
      .replace(":appId", newId("app"))
      .replace(":idp", "none")
      .replace(":version", "1")
      .replace("*", "none.js");
    const { status, body } = await api.call(method, path, await credentialsOf(caller, path));
    if (verdict !== "in") expect(status).toBe(verdict);
    // Past the rule it is the body that is wrong, or a password, or a thing that is not there.
    else {
      expect(REFUSALS).not.toContain(body.code);
      expect([200, 201, 204, 302, 400, 401, 404, 409]).toContain(status);
    }
  });

  it("keeps a route without a rule from starting", async () => {
    const app: FastifyInstance = fastify();
    await app.register(accessPlugin, {
      keys: undefined as never,
      sessions: undefined as never,
      operators: undefined as never,
      publicPrefixes: [],
    });
    expect(() => app.get("/naked", async () => "x")).toThrow("declares no access rule");
    await app.close();
  });
});

describe("a refusal", () => {
  it("names the rule", async () => {
    const refused = await api.call("DELETE", "/api/sessions/ses_none", { key: members.keys.viewer });
    expect(refused.body).toMatchObject({ success: false, code: "forbidden" });
    expect(refused.body.error).toBe(
      "A key with role viewer may only read here; it needs role owner, admin or developer.",
    );
  });

  it("of a user in one of their organizations for the path of another says which of the two was wrong", async () => {
    const { orgId } = members.stranger;
    const token = await members.strangersToken();
    const refused = await api.call("GET", `/api/orgs/${members.orgId}`, { token, orgId });
    expect(refused.status).toBe(403);
    expect(refused.body.error).toContain("the path");
  });

  it("of a key on a people's route tells what would be taken", async () => {
    const refused = await api.call("GET", `/api/orgs/${members.orgId}/api-keys`, { key: members.keys.owner });
    expect(refused.status).toBe(401);
    expect(refused.body.error).toBe("Send an access token as Authorization: Bearer.");
  });
});

describe("X-Org-Id", () => {
  it("is ignored with an API key", async () => {
    const orgId = members.stranger.orgId;
    expect((await api.call("GET", "/api/v1/me", { key: members.keys.viewer, orgId })).status).toBe(200);
  });
});
