import type { Bus } from "@parley/shared/bus/bus.ts";
import { LastingSubscription } from "@parley/shared/bus/lasting-subscription.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { FastifyReply } from "fastify";
import type { Database } from "../../database/open.ts";
import { EventStream } from "../../http/event-stream.ts";
import { onOrgChange } from "../../records/changes/org-changes.ts";
import { ringingChannel } from "./ringing-channel.ts";
import { type Callee, listGone, listRinging } from "./store.ts";

const HEARTBEAT_MS = 15_000;
const MAX_PER_MEMBER = 8;
const RETRY_AFTER_SECS = 15;

export interface RingingStreamsDeps {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A member's device that listens for incoming calls. */
export interface Device extends Callee {
  /** Throws when the member may no longer listen. */
  readonly recheckAccess: () => Promise<unknown>;
  /** Also hears what changes in the organization. */
  readonly hearsChanges: boolean;
}

/** The devices listening on this process. */
export class RingingStreams {
  readonly #deps: RingingStreamsDeps;
  readonly #open = new Map<RingingStream, string>();

  constructor(deps: RingingStreamsDeps) {
    this.#deps = deps;
  }

  /** Streams the member's events until the device or the server goes away. Throws `AppError` too_many_requests. */
  open(device: Device, reply: FastifyReply): FastifyReply {
    const whose = ringingChannel(device);
    if ([...this.#open.values()].filter((other) => other === whose).length >= MAX_PER_MEMBER)
      throw new AppError(
        "too_many_requests",
        `At most ${MAX_PER_MEMBER} of your devices can listen at once. Close Parley on another one first.`,
        {
          retryAfterSecs: RETRY_AFTER_SECS,
        },
      );
    const stream = new RingingStream(device, this.#deps, () => this.#open.delete(stream));
    this.#open.set(stream, whose);
    // The client may have disconnected during authentication.
    if (reply.raw.destroyed) stream.end();
    else reply.raw.once("close", () => stream.end());
    return stream.answer(reply);
  }

  /** Ends all streams when the server stops. */
  async stop(): Promise<void> {
    const all = [...this.#open.keys()];
    for (const stream of all) stream.end();
    await Promise.all(all.map((stream) => stream.ended));
  }
}

/**
 * Events of one device. The database holds the state and the bus only triggers a look; one look at a time finds what
 * changed since the last.
 */
class RingingStream {
  readonly #device: Device;
  readonly #deps: RingingStreamsDeps;
  readonly #events: EventStream;
  readonly #onEnded: () => void;
  readonly #stopHeartbeat: () => void;
  readonly #rings: LastingSubscription;
  readonly #changes: LastingSubscription | undefined;
  readonly #shown = new Set<string>();
  #looking: Promise<void> | undefined;
  #isWanted = false;
  #ending: Promise<void> | undefined;

  constructor(device: Device, deps: RingingStreamsDeps, onEnded: () => void) {
    this.#device = device;
    this.#deps = deps;
    this.#onEnded = onEnded;
    const { bus, clock } = deps;
    this.#events = new EventStream(clock, HEARTBEAT_MS);
    // Headers are sent with the first bytes, and nothing may ring for hours.
    this.#events.comment("listening");
    this.#stopHeartbeat = clock.every(HEARTBEAT_MS, () => void this.#recheck());
    const look = (): void => this.#look();
    this.#rings = new LastingSubscription(
      { bus, clock },
      { channel: ringingChannel(device), onMessage: look, onMissed: look },
    );
    // A message published before the subscription is active is covered by the look that follows.
    void this.#rings.tried.then(look);
    this.#changes = this.#hearChanges();
  }

  get ended(): Promise<void> | undefined {
    return this.#ending;
  }

  answer(reply: FastifyReply): FastifyReply {
    return this.#events.answer(reply);
  }

  end(): void {
    this.#ending ??= this.#end();
  }

  async #end(): Promise<void> {
    this.#onEnded();
    this.#stopHeartbeat();
    this.#events.end();
    await this.#rings.stop();
    await this.#changes?.stop();
    await this.#looking;
  }

  #hearChanges(): LastingSubscription | undefined {
    const { orgId, hearsChanges } = this.#device;
    if (!hearsChanges) return undefined;
    return onOrgChange(orgId, this.#deps, (changed) => this.#events.send("changed", changed));
  }

  /** The fallback without the bus, and after an outage. */
  async #recheck(): Promise<void> {
    try {
      await this.#device.recheckAccess();
      this.#look();
    } catch (error) {
      if (error instanceof AppError) this.end();
      else
        this.#deps.log.warn(
          { event: "ringing_access_check_failed", err: messageOf(error) },
          "failed to check the access of a listening device",
        );
    }
  }

  get #isEnding(): boolean {
    return this.#ending !== undefined;
  }

  #look(): void {
    if (this.#isEnding) return;
    this.#isWanted = true;
    this.#looking ??= this.#lookWhileWanted().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isEnding) {
      this.#isWanted = false;
      try {
        await this.#tell();
      } catch (error) {
        this.#deps.log.warn(
          { event: "ringing_not_read", err: messageOf(error) },
          "failed to read a member's ringing calls",
        );
      }
    }
  }

  async #tell(): Promise<void> {
    const { database } = this.#deps;
    const ringing = await listRinging(database, this.#device);
    const ids = new Set(ringing.map(({ sessionId }) => sessionId));
    const gone = await listGone(
      database,
      [...this.#shown].filter((shown) => !ids.has(shown)),
    );
    for (const call of gone) {
      this.#shown.delete(call.sessionId);
      this.#events.send("gone", call);
    }
    for (const call of ringing) {
      if (this.#shown.has(call.sessionId)) continue;
      this.#shown.add(call.sessionId);
      this.#events.send("ringing", call);
    }
  }
}
