import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeConsents, OAUTH_CLIENT } from "../../testkit/fakes/connectors/fake-consents.ts";
import type { FakeVendor } from "../../testkit/fakes/connectors/fake-vendor.ts";
import { googleConsents, startFakeGoogleCalendar } from "../../testkit/fakes/connectors/google-calendar.ts";
import { needs } from "../../testkit/needs.ts";
import { Installation } from "./support/installation.ts";

const BASE = "/api/v1/integrations/connections";
const CALLS_OF_EACH = 50;
const DRILL = { timeout: 240_000 };

describe.runIf(needs("redis") && needs("postgres"))("A control API killed while it renews a token", () => {
  let parley: Installation;
  let consents: FakeConsents;
  let google: FakeVendor;
  beforeAll(async () => {
    parley = await Installation.start();
    consents = googleConsents();
    google = await startFakeGoogleCalendar(consents);
  });
  afterAll(async () => {
    await parley.remove();
    google.close();
  });

  it("leaves the renewal to another, one for a hundred calls, and no token is lost", DRILL, async () => {
    const env = {
      INTEGRATION_URLS: `google-calendar=${google.url}`,
      OAUTH_CLIENTS: JSON.stringify([{ provider: "google-calendar", ...OAUTH_CLIENT }]),
    };
    const killed = await parley.startControlApi(env);
    const killedUrl = parley.apiUrl;
    const id = await connected();
    await parley.startControlApi(env);
    const test = async (url: string): Promise<unknown> => {
      const answer = await parley.request("POST", `${url}${BASE}/${id}/test`);
      return answer.json();
    };
    const gone = { lost: true };

    consents.expire();
    const { promise: never } = Promise.withResolvers<void>();
    google.heldFor = ({ path }) => (path === "/token" ? never : undefined);
    const ofKilled = Array.from({ length: CALLS_OF_EACH }, () => test(killedUrl).catch(() => gone));
    await expect.poll(renewals).toBe(1);
    const ofOther = Array.from({ length: CALLS_OF_EACH }, () => test(parley.apiUrl));
    await expect.poll(waitingForLock).toBe(1);
    google.heldFor = undefined;
    await killed.kill();

    const isOk = { ok: true, warnings: [] };
    expect(await Promise.all(ofOther)).toEqual(Array.from(ofOther, () => isOk));
    expect(await Promise.all(ofKilled)).toEqual(Array.from(ofKilled, () => gone));
    // The one that was killed asked in vain, and nobody but one asked again.
    expect(renewals()).toBe(2);
    await parley.startControlApi(env);
    expect(await Promise.all(ofKilled.map(() => test(parley.apiUrl)))).toEqual(
      Array.from(ofKilled, () => isOk),
    );
    expect(renewals()).toBe(2);
  });

  function renewals(): number {
    return consents.tokenRequests.filter((form) => form.grant_type === "refresh_token").length;
  }

  /** Processes that wait for the one which renews. */
  async function waitingForLock(): Promise<number> {
    const { db } = parley.database;
    const waiting = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%oauth_grants%'`.execute(
      db,
    );
    return waiting.rows[0]?.count ?? 0;
  }

  async function connected(): Promise<string> {
    const made = await parley.request("POST", BASE, { providerId: "google-calendar" });
    const { connection } = (await made.json()) as { connection: { id: string } };
    const begun = await parley.request("POST", `${BASE}/${connection.id}/authorize`);
    const { authorizeUrl } = (await begun.json()) as { authorizeUrl: string };
    const open = (url: string | null, cookie = "") =>
      fetch(url ?? "", { redirect: "manual", headers: { cookie } });
    const link = await open(authorizeUrl);
    const back = await open(link.headers.get("location"));
    const cookie = link.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await open(back.headers.get("location"), cookie)).status).toBe(303);
    return connection.id;
  }
});
