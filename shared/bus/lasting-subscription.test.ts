import { expect, it, onTestFinished } from "vitest";
import { FaultyBus } from "../../testkit/faulty-bus.ts";
import { ManualClock } from "../manual-clock.ts";
import { LastingSubscription } from "./lasting-subscription.ts";
import { createMemoryBus } from "./memory.ts";

const LOOKS_AFTER_MS = 1_000;

function setUp(isDeaf = false) {
  const clock = new ManualClock();
  const faulty = new FaultyBus();
  faulty.isDeaf = isDeaf;
  const bus = faulty.wrap(createMemoryBus({ clock }));
  const heard: string[] = [];
  const subscription = new LastingSubscription(
    { bus, clock },
    { channel: "news", onMessage: (text) => heard.push(text), onMissed: () => heard.push("missed") },
  );
  onTestFinished(async () => {
    await subscription.stop();
    await bus.close();
  });
  /** Lets it look, and what follows from that happen: the bus is in this process. */
  const look = async (times = 1): Promise<void> => {
    for (let i = 0; i < times; i++) {
      clock.advance(LOOKS_AFTER_MS);
      await new Promise(setImmediate);
    }
  };
  return { look, faulty, bus, heard, subscription };
}

it("misses nothing where the bus is there", async () => {
  const { look, bus, heard, subscription } = setUp();
  await subscription.tried;
  await look(10);
  await bus.channels.publish("news", "one");
  await expect.poll(() => heard).toEqual(["one"]);
});

it("listens as soon as a bus is there that was away at its start, and says what that may have cost", async () => {
  const { look, faulty, bus, heard, subscription } = setUp(true);
  await subscription.tried;
  await look(3);
  expect(heard).toEqual([]);
  faulty.isDeaf = false;
  await look();
  await expect.poll(() => heard).toEqual(["missed"]);
  await bus.channels.publish("news", "one");
  await expect.poll(() => heard).toEqual(["missed", "one"]);
});

it("says once after an outage that it may have missed something, and hears each message once then", async () => {
  const { look, faulty, bus, heard, subscription } = setUp();
  await subscription.tried;
  faulty.isDeaf = true;
  faulty.outages += 1;
  await look(3);
  expect(heard).toEqual([]);
  faulty.isDeaf = false;
  await look();
  await expect.poll(() => heard).toEqual(["missed"]);
  await look(3);
  await bus.channels.publish("news", "one");
  await expect.poll(() => heard).toEqual(["missed", "one"]);
});

it("leaves nothing behind when it is stopped, whether the bus is there or not", async () => {
  const { look, faulty, bus, heard, subscription } = setUp();
  await subscription.tried;
  faulty.isDeaf = true;
  faulty.outages += 1;
  await look();
  await subscription.stop();
  faulty.isDeaf = false;
  await look(3);
  expect(bus.channels.hasNoSubscriber("news")).toBe(true);
  expect(heard).toEqual([]);
});
