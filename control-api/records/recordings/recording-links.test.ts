import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { RecordingLinks } from "./recording-links.ts";

const HOUR_MS = 3_600_000;
const secret = (id: string): string => `${id}:${randomBytes(32).toString("base64")}`;

describe("a link to a recording", () => {
  const clock = new ManualClock();
  const baseUrl = (): string => "https://parley.example";
  const [older, newer] = [secret("older"), secret("newer")];
  const linksWith = (secretsKey: string) => new RecordingLinks({ secretsKey, clock, baseUrl });
  const partsOf = (url: string) => {
    const query = new URL(url).searchParams;
    return { expires: Number(query.get("expires")), signature: query.get("signature") ?? "" };
  };

  it("is good for an hour and says until when", () => {
    const links = linksWith(older);
    const { url, expiresAt } = links.link("rec_1");
    expect(Date.parse(expiresAt)).toBe(partsOf(url).expires * 1_000);
    expect(Math.abs(Date.parse(expiresAt) - clock.wallMs() - HOUR_MS)).toBeLessThan(1_000);
    clock.advance(HOUR_MS - 1_000);
    expect(() => links.assertOpen("rec_1", partsOf(url))).not.toThrow();
    clock.advance(1_000);
    expect(() => links.assertOpen("rec_1", partsOf(url))).toThrow(
      expect.objectContaining({ code: "link_expired", status: 403 }),
    );
  });

  it("opens one recording until one time, and nothing else", () => {
    const links = linksWith(older);
    const { expires, signature } = partsOf(links.link("rec_1").url);
    const forged = [
      ["rec_2", { expires, signature }],
      ["rec_1", { expires: expires + 1, signature }],
      ["rec_1", { expires, signature: `${signature}A` }],
      ["rec_1", { expires, signature: signature.slice(1) }],
      ["rec_1", partsOf(linksWith(newer).link("rec_1").url)],
    ] as const;
    for (const [id, parts] of forged) {
      expect(() => links.assertOpen(id, parts)).toThrow(
        expect.objectContaining({ code: "link_invalid", status: 403 }),
      );
    }
  });

  it("stays good when a new key is put in front of SECRETS_KEY", () => {
    const parts = partsOf(linksWith(older).link("rec_1").url);
    expect(() => linksWith(`${newer},${older}`).assertOpen("rec_1", parts)).not.toThrow();
  });
});

describe("a recording", () => {
  let api: TestControlApi;
  let acme: TestOrganization;
  let call: KeptCall;
  beforeAll(async () => {
    api = await TestControlApi.start();
    await api.registerNode();
    acme = await api.createOrganization();
    call = await keepCall(api, acme);
  });
  afterAll(() => api.close());

  const linkOf = async (): Promise<string> => {
    const { body } = await api.call("GET", `/api/v1/calls/${call.sessionId}/recording-url`, {
      key: acme.keys.viewer,
    });
    expect(body).toMatchObject({ id: call.recordingId, expiresAt: expect.any(String) });
    return String(body.url);
  };

  it("is played from its link without any key, whole or in part", async () => {
    const url = await linkOf();
    const bytes = await readFile(call.path);
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    expect(whole.headers.get("content-type")).toBe("audio/wav");
    expect(whole.headers.get("cache-control")).toContain("no-store");
    expect(whole.headers.get("content-disposition")).toBe(`inline; filename="${call.recordingId}.wav"`);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
    const part = await fetch(url, { headers: { range: "bytes=-100" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(
      `bytes ${bytes.length - 100}-${bytes.length - 1}/${bytes.length}`,
    );
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(-100));
    const beyond = await fetch(url, { headers: { range: `bytes=${bytes.length}-` } });
    expect(beyond.status).toBe(416);
    const asked = await fetch(url, { method: "HEAD" });
    expect(asked.headers.get("content-length")).toBe(String(bytes.length));
  });

  it("has the same kind of link in the record of its call", async () => {
    const { body } = await api.call("GET", `/api/v1/calls/${call.sessionId}`, { key: acme.keys.viewer });
    const { url, id } = body.recording as { url: string; id: string };
    expect(id).toBe(call.recordingId);
    expect((await fetch(url)).status).toBe(200);
  });

  it("is kept from who changed the link, with a reason", async () => {
    const url = new URL(await linkOf());
    url.searchParams.set("expires", "9999999999");
    const refused = await fetch(url);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ success: false, code: "link_invalid" });
  });
});
