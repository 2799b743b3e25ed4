import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lentDatabase } from "../../testkit/lent-database.ts";
import { createOrganization } from "../../testkit/organization.ts";
import { QueueOfWebhooks } from "../../testkit/webhook-queue.ts";
import type { Database } from "../database/open.ts";

let database: Database;
let queue: QueueOfWebhooks;
beforeAll(async () => {
  // Without a control API, which would claim, too.
  database = await lentDatabase();
  return () => database.close();
});
beforeEach(async () => {
  await database.db.deleteFrom("webhook_endpoints").execute();
  await database.db.deleteFrom("webhook_claims").execute();
  queue = new QueueOfWebhooks(database, await createOrganization(database));
});

describe("claims", () => {
  it("reach each of twelve hundred endpoints, and take each delivery once", async () => {
    const endpointIds = await queue.addEndpoints(1_200);
    await queue.owe(endpointIds);
    const { claims, claimed } = queue.claiming({ isSentAtOnce: true });
    claims.look();
    await expect.poll(() => claimed.length, { timeout: 90_000 }).toBeGreaterThanOrEqual(1_200);
    await claims.stop();
    expect(claimed.map(({ to }) => to.endpointId).toSorted()).toEqual(endpointIds.toSorted());
  });

  it("find what comes while they look", async () => {
    const [first = "", second = ""] = await queue.addEndpoints(2);
    const { claims, claimed } = queue.claiming({ isSentAtOnce: true });
    for (let i = 0; i < 50; i++) {
      const owing = queue.owe([i % 2 === 0 ? first : second]);
      claims.look();
      await owing;
      claims.look();
    }
    await expect.poll(() => claimed.length).toBe(50);
  });

  it("leave what has more bytes than there is room for, until there is", async () => {
    await queue.owe(await queue.addEndpoints(3));
    const { claims, claimed, inFlight } = queue.claiming({ isSentAtOnce: false });
    const room = 2 * queue.body.length;
    inFlight.holdBytes(inFlight.freeBytes - room);
    claims.look();
    await expect.poll(() => claimed.length).toBe(2);
    await claims.stop();
    expect(claimed).toHaveLength(2);
  });

  it("go on when places become free, without another look", async () => {
    const [endpointId = ""] = await queue.addEndpoints(1);
    await queue.owe(Array.from({ length: 20 }, () => endpointId));
    const { claims, claimed, inFlight } = queue.claiming({ isSentAtOnce: false });
    claims.look();
    await expect.poll(() => claimed.length).toBe(8);
    for (const { to } of [...claimed]) inFlight.giveBack(to);
    claims.goOn();
    await expect.poll(() => claimed.length).toBe(16);
  });

  it("take no more for an organization than it has places, so that others may take the rest", async () => {
    const endpointIds = await queue.addEndpoints(40);
    await queue.owe(endpointIds.flatMap((id) => Array.from({ length: 8 }, () => id)));
    const { claims, claimed, inFlight } = queue.claiming({ isSentAtOnce: false });
    claims.look();
    await expect.poll(() => claimed.length).toBe(96);
    expect(await queue.countTaken()).toBe(96);
    for (const { to } of claimed.slice(0, 5)) inFlight.giveBack(to);
    claims.goOn();
    await expect.poll(() => claimed.length).toBe(101);
    expect(await queue.countTaken()).toBe(101);
  });

  it("go on for others when receivers that were quick turn slow, with much in hand", async () => {
    const slow = await queue.addEndpoints(9);
    await queue.owe(slow.flatMap((id) => Array.from({ length: 73 }, () => id)));
    const { claims, claimed, inFlight } = queue.claiming({ isSentAtOnce: false });
    claims.look();
    await expect.poll(() => claimed.length).toBe(72);
    const quick = { isAnswered: true, isLast: false, durationMs: 5 };
    for (const inHand of claimed) claims.note(inHand, quick);
    const answered = [...new Map(claimed.map((inHand) => [inHand.to.endpointId, inHand])).values()];
    for (const { to } of answered) inFlight.giveBack(to);
    claims.goOn();
    await expect.poll(() => queue.countTaken()).toBe(9 * 72);
    await expect.poll(() => claimed.length).toBe(81);
    for (const inHand of answered) claims.note(inHand, { ...quick, durationMs: 1_000 });
    const others = new QueueOfWebhooks(database, await createOrganization(database));
    const [other = ""] = await others.addEndpoints(1);
    await others.owe([other]);
    claims.owe([others.addressee(other)]);
    await expect.poll(() => claimed.length).toBe(82);
    expect(claimed.at(-1)?.to.endpointId).toBe(other);
  });

  it("give a place that became free to the same endpoint's next at once", async () => {
    const [endpointId = ""] = await queue.addEndpoints(1);
    await queue.owe(Array.from({ length: 40 }, () => endpointId));
    const { claims, claimed, inFlight } = queue.claiming({ isSentAtOnce: false });
    claims.look();
    await expect.poll(() => claimed.length).toBe(8);
    const { to } = claimed[0]!;
    // Nothing is in hand but what is under way.
    inFlight.giveBack(to);
    expect(claims.handOutNext(to)).toBe(false);
    for (const inHand of claimed) claims.note(inHand, { isAnswered: true, isLast: false, durationMs: 5 });
    claims.goOn();
    await expect.poll(() => queue.countTaken()).toBe(40);
    expect(claimed).toHaveLength(9);
    expect(claims.handOutNext(to)).toBe(false);
    inFlight.giveBack(to);
    expect(claims.handOutNext(to)).toBe(true);
    expect(new Set(claimed.map(({ delivery }) => delivery.id)).size).toBe(10);
    await claims.stop();
    inFlight.giveBack(to);
    expect(claims.handOutNext(to)).toBe(false);
  });

  it("take what was just raised without a look", async () => {
    const [endpointId = ""] = await queue.addEndpoints(1);
    await queue.owe([endpointId]);
    const { claims, claimed } = queue.claiming({ isSentAtOnce: true });
    claims.owe([queue.addressee(endpointId)]);
    await expect.poll(() => claimed.length).toBe(1);
    for (let i = 0; i < 20; i++) {
      const owing = queue.owe([endpointId]).then(() => claims.owe([queue.addressee(endpointId)]));
      claims.goOn();
      await owing;
    }
    await expect.poll(() => claimed.length).toBe(21);
  });

  it("are deleted by the next one when all that they took has results", async () => {
    const [first = "", second = ""] = await queue.addEndpoints(2);
    await queue.owe([first, first]);
    const { claims, claimed } = queue.claiming({ isSentAtOnce: true });
    claims.look();
    await expect.poll(() => claimed.length).toBe(2);
    const [one, other] = claimed;
    await queue.recordDelivered([one!.delivery]);
    claims.settled([one!]);
    await queue.owe([second]);
    claims.look();
    await expect.poll(() => claimed.length).toBe(3);
    expect(await queue.countTaken()).toBe(3);
    await queue.recordDelivered([other!.delivery]);
    claims.settled([other!]);
    await queue.owe([second]);
    claims.look();
    await expect.poll(() => claimed.length).toBe(4);
    expect(await queue.countTaken()).toBe(2);
  });

  it("of an endpoint that answered 410 leave what was not begun to others, and take nothing more of it", async () => {
    const [endpointId = "", other = ""] = await queue.addEndpoints(2);
    await queue.owe(Array.from({ length: 40 }, () => endpointId));
    const { claims, claimed, inFlight } = queue.claiming({ isSentAtOnce: false });
    claims.look();
    await expect.poll(() => claimed.length).toBe(8);
    // A quick one: more is taken ahead than is begun.
    const quick = { isAnswered: true, isLast: false, durationMs: 5 };
    for (const inHand of claimed) claims.note(inHand, quick);
    inFlight.giveBack(claimed[0]!.to);
    claims.goOn();
    await expect.poll(() => queue.countTaken()).toBe(40);
    expect(claimed).toHaveLength(9);
    claims.note(claimed[1]!, { ...quick, isLast: true });
    await expect.poll(() => queue.countTaken()).toBe(9);
    for (const { to } of [...claimed]) inFlight.giveBack(to);
    claims.goOn();
    await queue.owe([other]);
    claims.owe([queue.addressee(other)]);
    await expect.poll(() => claimed.length).toBe(10);
    expect(claimed.at(-1)?.to.endpointId).toBe(other);
  });
});
