import { FrameSources } from "@parley/shared/bus/frame-sources.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import {
  ACCESS_CHANGES_CHANNEL,
  type AccessChange,
  type ActingCredential,
} from "@parley/shared/contracts/access-changes.ts";
import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import {
  framesChannel,
  type StreamFrame,
  WATCH_LEASE_MS,
  WATCH_RENEW_MS,
  watchedKey,
} from "@parley/shared/contracts/stream-frames.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import {
  createTicketSigner,
  createTicketVerifier,
  generateTicketKeys,
} from "@parley/shared/security/tickets.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { FramePublisher } from "../call/frames.ts";
import type { Admission, SocketPort } from "../uws/socket-port.ts";
import { RecentChanges } from "./recent-changes.ts";
import { createStreamRoute } from "./stream-route.ts";

const SESSION = "ses_1";
const log = createLogger({ level: "silent", format: "json", name: "test" });

/** A reader that takes everything at once. */
class Reader implements SocketPort {
  readonly frames: StreamFrame[] = [];
  readonly bufferedBytes = 0;
  closedWith: number | undefined;

  get isOpen(): boolean {
    return this.closedWith === undefined;
  }

  sendText(json: string): "sent" | "dropped" {
    if (!this.isOpen) return "dropped";
    this.frames.push(JSON.parse(json) as StreamFrame);
    return "sent";
  }

  together(work: () => void): void {
    work();
  }

  sendBinary(): "dropped" {
    return "dropped";
  }

  close({ code }: { code: number }): void {
    this.closedWith ??= code;
  }
}

function setUp(isLive: () => Promise<boolean> = async () => true) {
  const bus = createMemoryBus({ clock: systemClock });
  onTestFinished(() => bus.close());
  const link = { subscriptions: 0, isAway: false, outages: 0 };
  const channels = {
    publish: bus.channels.publish.bind(bus.channels),
    hasNoSubscriber: bus.channels.hasNoSubscriber.bind(bus.channels),
    subscribe: async (...args: Parameters<typeof bus.channels.subscribe>) => {
      if (link.isAway) throw new Error("away");
      link.subscriptions += 1;
      return bus.channels.subscribe(...args);
    },
  };
  const clock = new ManualClock();
  const keys = generateTicketKeys();
  const signer = createTicketSigner({ privateKeyPem: keys.privateKeyPem, clock: systemClock });
  const changed: { changes?: RecentChanges } = {};
  const route = createStreamRoute({
    changes: { hasChanged: (by, sinceMs) => changed.changes?.hasChanged(by, sinceMs) ?? false },
    tickets: createTicketVerifier({ publicKeyPem: keys.publicKeyPem, clock: systemClock }),
    sources: new FrameSources({ channels, keys: bus.keys, clock }),
    channels: bus.channels,
    isLive,
    watcherBufferBytes: 4_096,
    onFramesDropped: () => undefined,
    clock,
    log,
  });
  const ticketOf = (by?: ActingCredential, ttlSecs?: number): Promise<string> =>
    signer.sign({ sessionId: SESSION, orgId: "org_1", kind: "stream", by }, ttlSecs);
  const admitWith = (ticket: string): Promise<Admission> => route.admit({ sessionId: SESSION, ticket });
  const admit = async (ttlSecs?: number, by?: ActingCredential): Promise<Admission> =>
    admitWith(await ticketOf(by, ttlSecs));
  const watch = async (by?: ActingCredential) => {
    const admission = await admit(undefined, by);
    if (!admission.ok) throw new Error(admission.message);
    const reader = new Reader();
    return { reader, handler: admission.open(reader) };
  };
  const publisher = new FramePublisher({
    channels,
    bus: { isReady: () => !link.isAway, outages: () => link.outages },
    sessionId: SESSION,
    now: () => clock.monotonicMs(),
    log,
  });
  const isWatched = (): boolean => !bus.channels.hasNoSubscriber(framesChannel(SESSION));
  const follow = async (): Promise<void> => {
    changed.changes = await RecentChanges.follow({ bus, clock: systemClock, log });
  };
  return { bus, link, clock, follow, ticketOf, admitWith, admit, watch, publisher, isWatched };
}

const turn = { turn: 1, role: "user", text: "Hello", interrupted: false } as const;

describe("watching a call", () => {
  it("takes one subscription however many watch, and none once the last has left", async () => {
    const { link, watch, publisher, isWatched } = setUp();
    const watchers = await Promise.all([watch(), watch(), watch()]);
    await expect.poll(isWatched).toBe(true);
    publisher.publish("call.turn", turn);
    for (const { reader } of watchers)
      await expect
        .poll(() => reader.frames)
        .toEqual([{ topic: "call.turn", sessionId: SESSION, data: turn }]);
    expect(link.subscriptions).toBe(1);
    for (const { handler } of watchers) handler.onClose(1000);
    await expect.poll(isWatched).toBe(false);
  });

  it("ends with call.ended and 1000", async () => {
    const { watch, publisher, isWatched } = setUp();
    const { reader } = await watch();
    await expect.poll(isWatched).toBe(true);
    publisher.publish("call.ended", { reason: "hangup", durationSecs: 3 });
    publisher.publish("call.turn", turn);
    await expect.poll(() => reader.closedWith).toBe(1000);
    expect(reader.frames.map(({ topic }) => topic)).toEqual(["call.ended"]);
  });

  it("is told at once when the call has ended since the ticket was given", async () => {
    const { link, watch } = setUp(async () => false);
    const { reader } = await watch();
    expect(reader.closedWith).toBe(1000);
    expect(reader.frames.map(({ topic }) => topic)).toEqual(["call.ended"]);
    expect(link.subscriptions).toBe(0);
  });

  it("tells of an end that came between the admission and the subscription", async () => {
    const answers = [true, false];
    const { watch } = setUp(async () => answers.shift() ?? false);
    const { reader } = await watch();
    await expect.poll(() => reader.closedWith).toBe(1000);
    expect(reader.frames.map(({ topic }) => topic)).toEqual(["call.ended"]);
  });

  it("is given up with 1013 when the bus goes away before the subscription is in force", async () => {
    const { link, watch } = setUp();
    link.isAway = true;
    const { reader, handler } = await watch();
    await expect.poll(() => reader.closedWith).toBe(1013);
    handler.onClose(1000);
    link.isAway = false;
    const second = await watch();
    expect(second.reader.isOpen).toBe(true);
  });

  it("is given up with 1013 when nobody can say whether the call still lives", async () => {
    let asked = 0;
    const { watch } = setUp(async () => {
      asked += 1;
      if (asked > 1) throw new Error("away");
      return true;
    });
    const { reader } = await watch();
    await expect.poll(() => reader.closedWith).toBe(1013);
  });

  it("ends though the frame that said so was missed", async () => {
    let isLive: boolean | undefined = true;
    const { clock, watch, isWatched } = setUp(async () => {
      if (isLive === undefined) throw new Error("away");
      return isLive;
    });
    const { reader } = await watch();
    await expect.poll(isWatched).toBe(true);
    isLive = undefined;
    clock.advance(15_000);
    isLive = false;
    expect(reader.isOpen).toBe(true);
    clock.advance(15_000);
    await expect.poll(() => reader.closedWith).toBe(1000);
    expect(reader.frames.map(({ topic }) => topic)).toEqual(["call.ended"]);
  });

  it.each<[string, ActingCredential, AccessChange]>([
    ["their key is revoked", { userId: "usr_1", keyId: "key_1" }, { keyId: "key_1" }],
    ["whoever made their key is deactivated", { userId: "usr_1", keyId: "key_1" }, { userId: "usr_1" }],
    ["they sign out", { userId: "usr_1", signInId: "sgn_1" }, { sessionId: "sgn_1" }],
    ["they are removed or get another role", { userId: "usr_1", signInId: "sgn_1" }, { userId: "usr_1" }],
  ])("ends with 1008 when %s, and nobody else's does", async (_when, by, change) => {
    const { bus, watch, publisher, isWatched } = setUp();
    const theirs = await watch(by);
    const others = await watch({ userId: "usr_2", keyId: "key_2", signInId: "sgn_2" });
    await expect.poll(isWatched).toBe(true);
    await bus.channels.publish(ACCESS_CHANGES_CHANNEL, JSON.stringify({ keyId: "key_3" }));
    await bus.channels.publish(ACCESS_CHANGES_CHANNEL, JSON.stringify(change));
    await expect.poll(() => theirs.reader.closedWith).toBe(1008);
    publisher.publish("call.turn", turn);
    await expect.poll(() => others.reader.frames).toHaveLength(1);
    expect(theirs.reader.frames).toEqual([]);
    for (const { handler } of [theirs, others]) handler.onClose(1000);
    await expect.poll(() => bus.channels.hasNoSubscriber(ACCESS_CHANGES_CHANNEL)).toBe(true);
  });

  it("ignores whatever a watcher says", async () => {
    const { watch } = setUp();
    const { reader, handler } = await watch();
    handler.onText("{");
    handler.onBinary(new Uint8Array(640));
    expect(reader).toMatchObject({ isOpen: true, frames: [] });
  });
});

describe("a watcher is refused", () => {
  it("with a ticket that is too old", async () => {
    const { admit } = setUp();
    expect(await admit(-1)).toMatchObject({ ok: false, status: 401, code: "ticket_expired" });
  });

  it("with a ticket that was given before its right ended, and not with one given since", async () => {
    const { bus, follow, ticketOf, admitWith } = setUp();
    await follow();
    const ada = { userId: "usr_1", signInId: "sgn_1" };
    const [before, others] = [await ticketOf(ada), await ticketOf({ userId: "usr_2", keyId: "key_2" })];
    await bus.channels.publish(ACCESS_CHANGES_CHANNEL, JSON.stringify({ userId: "usr_1" }));
    await expect
      .poll(() => admitWith(before))
      .toMatchObject({ ok: false, status: 401, code: "ticket_invalid" });
    expect(await admitWith(others)).toMatchObject({ ok: true });
    await expect.poll(async () => admitWith(await ticketOf(ada))).toMatchObject({ ok: true });
  });

  it("while the bus is away, with the time to try again", async () => {
    const { admit } = setUp(async () => {
      throw new Error("away");
    });
    expect(await admit()).toMatchObject({ ok: false, status: 503, retryAfterSecs: 2 });
  });
});

/** A frame that tells when it is written as JSON. */
function tattling() {
  const written: string[] = [];
  const frame = (name: string) => ({ ...turn, toJSON: () => written.push(name) });
  return { written, frame };
}

describe("frames nobody watches", () => {
  it("are not even written as JSON where the bus knows its subscribers", () => {
    const { publisher } = setUp();
    const { written, frame } = tattling();
    publisher.publish("call.turn", frame("unwatched"));
    expect(written).toEqual([]);
  });

  it("are not written either where it does not, once the call has learned that nobody watches", async () => {
    const { bus, publisher } = setUp();
    await bus.channels.subscribe(framesChannel(SESSION), () => undefined);
    const { written, frame } = tattling();
    publisher.publish("call.turn", frame("before it knows"));
    await publisher.learnOfWatchers(bus.keys);
    publisher.publish("call.turn", frame("unwatched"));
    publisher.watch();
    publisher.publish("call.turn", frame("watched"));
    expect(written).toEqual(["before it knows", "watched"]);
  });

  it("are written while the bus is away and for a lease afterwards, as nobody can say", async () => {
    const { bus, link, clock, publisher } = setUp();
    await bus.channels.subscribe(framesChannel(SESSION), () => undefined);
    await publisher.learnOfWatchers(bus.keys);
    const { written, frame } = tattling();
    link.isAway = true;
    publisher.publish("call.turn", frame("away"));
    link.isAway = false;
    clock.advance(WATCH_LEASE_MS - 1);
    publisher.publish("call.turn", frame("back"));
    clock.advance(1);
    publisher.publish("call.turn", frame("unwatched"));
    expect(written).toEqual(["away", "back"]);
  });
});

describe("frames after an outage that nobody noticed", () => {
  it("are written for a lease, as a watcher may have come meanwhile", async () => {
    const { bus, link, clock, publisher } = setUp();
    await bus.channels.subscribe(framesChannel(SESSION), () => undefined);
    await publisher.learnOfWatchers(bus.keys);
    const { written, frame } = tattling();
    publisher.publish("call.turn", frame("unwatched"));
    link.outages += 1;
    publisher.publish("call.turn", frame("back"));
    clock.advance(WATCH_LEASE_MS);
    publisher.publish("call.turn", frame("unwatched again"));
    expect(written).toEqual(["back"]);
  });
});

describe("the holder of a watched call", () => {
  it("is told that it is watched at once and again and again, until the last has left", async () => {
    const { bus, clock, watch, isWatched } = setUp();
    let told = 0;
    await bus.channels.subscribe(commandChannel(SESSION), () => {
      told += 1;
    });
    const [first, second] = await Promise.all([watch(), watch()]);
    await expect.poll(() => told).toBe(1);
    expect(await bus.keys.get(watchedKey(SESSION))).toBeDefined();
    first.handler.onClose(1000);
    clock.advance(WATCH_RENEW_MS);
    await expect.poll(() => told).toBe(2);
    second.handler.onClose(1000);
    await expect.poll(isWatched).toBe(false);
    clock.advance(WATCH_LEASE_MS);
    expect(told).toBe(2);
  });

  it("learns of one who was there before the call began", async () => {
    const { bus, watch, publisher, isWatched } = setUp();
    const { reader } = await watch();
    await expect.poll(isWatched).toBe(true);
    await expect.poll(() => bus.keys.get(watchedKey(SESSION))).toBeDefined();
    await publisher.learnOfWatchers(bus.keys);
    publisher.publish("call.turn", turn);
    await expect.poll(() => reader.frames).toHaveLength(1);
  });
});
