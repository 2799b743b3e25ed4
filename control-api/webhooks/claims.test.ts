import { systemClock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { lentDatabase } from "../../testkit/lent-database.ts";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import type { Database } from "../database/open.ts";
import { Claims } from "./claims.ts";
import { InFlight } from "./in-flight.ts";
import type { ClaimedDelivery } from "./queue-store.ts";

let database: Database;
let organization: TestOrganization;
beforeAll(async () => {
  // Without a control API, which would claim, too.
  database = await lentDatabase();
  return () => database.close();
});
beforeEach(async () => {
  await database.db.deleteFrom("webhook_endpoints").execute();
  organization = await createOrganization(database);
});

describe("claims", () => {
  it("reach each of twelve hundred endpoints, and take each delivery once", async () => {
    const endpointIds = await addEndpoints(1_200);
    await owe(endpointIds);
    const { claims, claimed } = claiming({ isSentAtOnce: true });
    claims.look();
    await expect.poll(() => claimed.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(1_200);
    await claims.stop();
    expect(claimed.map(({ endpointId }) => endpointId).toSorted()).toEqual(endpointIds.toSorted());
  });

  it("find what comes while they look", async () => {
    const [first = "", second = ""] = await addEndpoints(2);
    const { claims, claimed } = claiming({ isSentAtOnce: true });
    for (let i = 0; i < 50; i++) {
      const owing = owe([i % 2 === 0 ? first : second]);
      claims.look();
      await owing;
      claims.look();
    }
    await expect.poll(() => claimed.length).toBe(50);
  });

  it("leave what has more bytes than there is room for, until there is", async () => {
    await owe(await addEndpoints(3));
    const { claims, claimed, inFlight } = claiming({ isSentAtOnce: false });
    const room = 2 * BODY.length;
    inFlight.holdBytes(inFlight.freeBytes - room);
    claims.look();
    await expect.poll(() => claimed.length).toBe(2);
    await claims.stop();
    expect(claimed).toHaveLength(2);
  });

  it("go on when places become free, without another look", async () => {
    const [endpointId = ""] = await addEndpoints(1);
    await owe(Array.from({ length: 20 }, () => endpointId));
    const { claims, claimed, inFlight } = claiming({ isSentAtOnce: false });
    claims.look();
    await expect.poll(() => claimed.length).toBe(8);
    const orgId = organization.orgId;
    for (const { endpointId } of [...claimed])
      inFlight.giveBack({ endpointId, orgId, host: "hooks.example" });
    claims.goOn();
    await expect.poll(() => claimed.length).toBe(16);
  });
});

const BODY = "{}";

function claiming({ isSentAtOnce }: { isSentAtOnce: boolean }) {
  const inFlight = new InFlight();
  const claimed: ClaimedDelivery[] = [];
  const log = { warn: (...told: unknown[]) => expect.unreachable(JSON.stringify(told)) };
  const claims = new Claims({
    database,
    clock: systemClock,
    log: log as never,
    inFlight,
    onClaimed: ({ delivery, to }) => {
      claimed.push(delivery);
      if (isSentAtOnce) inFlight.giveBack(to);
    },
  });
  onTestFinished(() => claims.stop());
  return { claims, claimed, inFlight };
}

async function addEndpoints(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId("whk"));
  const { orgId: org_id, userId: created_by } = organization;
  await database.db
    .insertInto("webhook_endpoints")
    .values(
      ids.map((id) => ({
        id,
        org_id,
        url: "https://hooks.example/",
        events: JSON.stringify(["*"]),
        include_recording: false,
        include_transcript: false,
        secret_sealed: "sealed",
        created_by,
        created_at: new Date(),
      })),
    )
    .execute();
  return ids;
}

async function owe(endpointIds: readonly string[]): Promise<void> {
  const at = new Date();
  await database.db
    .insertInto("webhook_deliveries")
    .values(
      endpointIds.map((endpoint_id) => ({
        id: newId("dlv"),
        endpoint_id,
        org_id: organization.orgId,
        event: "call.dtmf",
        body: BODY,
        status: "pending" as const,
        created_at: at,
        next_attempt_at: at,
      })),
    )
    .execute();
}
