import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memberOnly } from "../../../testkit/members.ts";
import { answering, chat, lookTool, serve } from "../../../testkit/model-brain.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";

let phones: TestTelephony;
beforeAll(async () => {
  phones = await TestTelephony.start();
});
afterAll(() => phones.close());

describe("the number of who calls in", () => {
  it("is the call's identifier, and no tool is told it as a trusted identity: anybody can show any", async () => {
    await memberOnly(phones.api, phones.organization.orgId, "owner");
    const seen: Record<string, unknown> = {};
    const api = await serve(({ url = "", headers }, response) => {
      seen[url] = headers["x-service-identifier"];
      response.end("{}");
    });
    const calls = [{ name: "tables", arguments: "{}" }];
    const { url } = await chat(answering({ calls }, { text: "Done." }));
    const tools = [lookTool({ name: "tables", url: `${api}/tables`, sendIdentifier: true })];
    const agentId = await phones.agent({ brain: { kind: "model", model: "m", prompt: "p", url, tools } });
    const [to, from] = ["+12025554905", "+12025554906"];
    expect((await phones.request("POST", "/api/v1/numbers", { number: to, agentId })).status).toBe(201);
    const listen = { do: "listen", quietMs: 1_500, withinMs: 10_000 };
    const script = [{ do: "say", text: "Any table?" }, listen, { do: "hangUp" }];
    const path = `/api/orgs/${phones.organization.orgId}/loopback-calls`;
    const placed = await phones.request("POST", path, { to, from, script });
    const { sessionId } = placed.body.data as { sessionId: string };
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record).toMatchObject({ identifier: from, tools: [{ name: "tables", status: "success" }] });
    expect(seen).toEqual({ "/tables": undefined });
  });
});
