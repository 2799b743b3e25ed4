import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallOptions, TestControlApi } from "../../../testkit/control-api.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import type { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
let acme: TestOrganization;
let viewer: TestPerson;
const calls: KeptCall[] = [];

beforeAll(async () => {
  api = await TestControlApi.start();
  await api.registerNode({ maxCalls: 1_000 });
  acme = await api.createOrganization();
  viewer = await memberOnly(api, acme.orgId, "viewer");
  for (const durationMs of [1_000, 2_500, 3_000]) calls.push(await keepCall(api, acme, { durationMs }));
});
afterAll(() => api.close());

const read = (path: string, as: CallOptions = { key: acme.keys.viewer }) =>
  api.call("GET", `/api/orgs/${acme.orgId}/${path}`, as);
interface Listed {
  readonly recordings: { id: string; url: string }[];
  readonly nextBefore: string | null;
}
const listed = async (query: string): Promise<Listed> =>
  (await read(`recordings${query}`)).body.data as Listed;
/** Which of the calls a query finds, by their number. */
const found = async (query: string): Promise<number[]> =>
  (await listed(query)).recordings.map(({ id }) => calls.findIndex(({ recordingId }) => recordingId === id));

describe("the list of recordings", () => {
  it("has the newest first, each with its length, its size and a link that plays it without a key", async () => {
    expect(await found("")).toEqual([2, 1, 0]);
    const [, middle] = (await listed("")).recordings;
    const bytes = await readFile(calls[1]?.path ?? "");
    expect(middle).toMatchObject({
      sessionId: calls[1]?.sessionId,
      agentId: acme.agentId,
      agentName: "Anna",
      status: "ready",
      durationSecs: 2.5,
      sizeBytes: bytes.length,
      expiresAt: expect.any(String),
    });
    const played = await fetch(middle?.url ?? "");
    expect(Buffer.from(await played.arrayBuffer())).toEqual(bytes);
  });

  it.each([
    ["?agentId=agt_none", []],
    ["?from=2020-01-01T00:00:00Z", [2, 1, 0]],
    ["?to=2020-01-01T00:00:00Z", []],
  ])("with %s has %j", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it("is that of one agent or one call, by either of its ids", async () => {
    expect(await found(`?agentId=${acme.agentId}`)).toEqual([2, 1, 0]);
    expect(await found(`?call=${calls[0]?.sessionId}`)).toEqual([0]);
    const { body } = await read(`recordings/${calls[0]?.recordingId}`);
    expect(await found(`?call=${(body.data as { callId: string }).callId}`)).toEqual([0]);
  });

  it("comes in pages", async () => {
    const first = await listed("?limit=2");
    expect(first.recordings).toHaveLength(2);
    expect(await found(`?limit=2&before=${first.nextBefore}`)).toEqual([0]);
    expect((await listed(`?limit=2&before=${first.nextBefore}`)).nextBefore).toBeNull();
  });

  it("goes on from another organization's recording as from one that is gone", async () => {
    const { recordingId } = await keepCall(api, await api.createOrganization(), { durationMs: 1_000 });
    await api.database.db
      .updateTable("recordings")
      .set({ created_at: new Date("2000-01-01T00:00:00Z") })
      .where("id", "=", recordingId)
      .execute();
    expect(await found(`?from=1999-01-01T00:00:00Z&before=${recordingId}`)).toEqual([2, 1, 0]);
  });

  it("is the organization's own, and has none that was deleted", async () => {
    const other = await api.createOrganization();
    const path = `/api/orgs/${other.orgId}/recordings`;
    const theirs = await api.call("GET", path, { key: other.keys.viewer });
    expect(theirs.body.data).toEqual({ recordings: [], nextBefore: null });
    expect(
      (await api.call("GET", `${path}/${calls[0]?.recordingId}`, { key: other.keys.owner })).status,
    ).toBe(404);
    const gone = await keepCall(api, acme);
    const deleted = await api.call("DELETE", `/api/orgs/${acme.orgId}/recordings/${gone.recordingId}`, {
      key: acme.keys.admin,
    });
    expect(deleted.status).toBe(200);
    expect(await found("")).toEqual([2, 1, 0]);
    expect((await read(`recordings/${gone.recordingId}`)).status).toBe(404);
  });
});

describe("the audio of a call", () => {
  it("is served whole or in part, to keys and members, by any of its ids", async () => {
    const bytes = await readFile(calls[0]?.path ?? "");
    const member = { token: viewer.accessToken, orgId: acme.orgId };
    for (const as of [{ key: acme.keys.viewer }, member]) {
      for (const id of [calls[0]?.sessionId, calls[0]?.recordingId]) {
        const part = await read(`call-audio/${id}`, { ...as, headers: { range: "bytes=0-3" } });
        expect(part.status).toBe(206);
        expect(part.text).toBe("RIFF");
        expect(part.headers.get("content-range")).toBe(`bytes 0-3/${bytes.length}`);
      }
      const whole = await read(`call-audio/${calls[0]?.sessionId}`, as);
      expect(whole.headers.get("content-length")).toBe(String(bytes.length));
      expect(whole.headers.get("content-type")).toBe("audio/wav");
    }
  });

  it("that is another organization's or not there is a 404", async () => {
    const other = await api.createOrganization();
    const path = `/api/orgs/${other.orgId}/call-audio`;
    for (const id of [calls[0]?.sessionId, calls[0]?.recordingId, "ses_none"]) {
      expect((await api.call("GET", `${path}/${id}`, { key: other.keys.owner })).status).toBe(404);
    }
  });
});
