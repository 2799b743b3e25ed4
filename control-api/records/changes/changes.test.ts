import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FaultyBus } from "../../../testkit/faulty-bus.ts";
import { keepCall } from "../../../testkit/kept-call.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import type { TestPerson } from "../../../testkit/person.ts";

const faulty = new FaultyBus();
let api: TestControlApi;
let acme: TestOrganization;
let other: TestOrganization;
let viewer: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start({ bus: faulty.wrap(createMemoryBus({ clock: systemClock })) });
  await api.registerNode();
  [acme, other] = [await api.createOrganization(), await api.createOrganization()];
  viewer = await memberOnly(api, acme.orgId, "viewer");
});
afterAll(() => api.close());

/** A page that listens; gives what it was told so far. */
async function listen(
  orgId: string,
  person = viewer,
  path = `/api/orgs/${orgId}/changes`,
): Promise<{ status: number; told: () => string[] }> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(api.api.baseUrl + path, {
    signal: abort.signal,
    headers: { authorization: `Bearer ${person.accessToken}`, "x-org-id": orgId },
  });
  let text = "";
  const read = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  void read().catch(() => undefined);
  if (response.ok) await expect.poll(() => text).toContain("listening");
  return {
    status: response.status,
    told: () => [...text.matchAll(/^event: changed\ndata: (.*)$/gm)].map(([, data]) => data ?? ""),
  };
}

it("tells the pages of an organization that a call began and ended, and not what was said in it", async () => {
  const page = await listen(acme.orgId);
  await keepCall(api, acme, { said: ["my secret"] });
  await expect.poll(() => page.told()).toEqual(Array(3).fill('{"topics":["calls"]}'));
});

it("tells it on the stream of a member's incoming calls, too, where that is wanted", async () => {
  const developer = await memberOnly(api, acme.orgId, "developer");
  const page = await listen(acme.orgId, developer, "/api/me/incoming-calls?changes=true");
  const phone = await listen(acme.orgId, developer, "/api/me/incoming-calls");
  await keepCall(api, other);
  await keepCall(api, acme);
  await expect.poll(() => page.told()).toEqual(Array(3).fill('{"topics":["calls"]}'));
  expect(phone.told()).toEqual([]);
});

it("tells nothing of another organization's calls", async () => {
  const page = await listen(acme.orgId);
  await keepCall(api, other);
  await keepCall(api, acme);
  await expect.poll(() => page.told().length).toBe(3);
});

it("is not for somebody of another organization, and for so many of one's browsers at once", async () => {
  expect((await listen(other.orgId)).status).toBe(403);
  const busy = await memberOnly(api, acme.orgId, "member");
  for (let browser = 0; browser < 8; browser++) expect((await listen(acme.orgId, busy)).status).toBe(200);
  expect((await listen(acme.orgId, busy)).status).toBe(429);
});

it("tells a page that began to listen while the bus was away that all may have changed, and then what changes", async () => {
  faulty.isDeaf = true;
  const page = await listen(acme.orgId);
  const developer = await memberOnly(api, acme.orgId, "developer");
  const phone = await listen(acme.orgId, developer, "/api/me/incoming-calls?changes=true");
  faulty.isDeaf = false;
  for (const { told } of [page, phone]) await expect.poll(told).toEqual(['{"topics":["calls"]}']);
  await keepCall(api, acme);
  for (const { told } of [page, phone]) await expect.poll(() => told().length).toBe(4);
});

it("tells a page that listened before the bus was away the same", async () => {
  const page = await listen(acme.orgId);
  await keepCall(api, acme);
  await expect.poll(() => page.told().length).toBe(3);
  faulty.outages += 1;
  await expect.poll(() => page.told().length).toBe(4);
  await keepCall(api, acme);
  await expect.poll(() => page.told().length).toBe(7);
});
