import type { Bus } from "@parley/shared/bus/bus.ts";
import type { LastingSubscription } from "@parley/shared/bus/lasting-subscription.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { FastifyReply } from "fastify";
import { EventStream } from "../../http/event-stream.ts";
import { onOrgChange } from "./org-changes.ts";

const HEARTBEAT_MS = 15_000;
const MAX_PER_MEMBER = 8;
const RETRY_AFTER_SECS = 15;

interface ChangeStreamsDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Listener {
  readonly orgId: string;
  readonly userId: string;
  /** Throws `AppError` if the member may no longer listen. */
  readonly recheckAccess: () => Promise<unknown>;
}

/** The browsers connected here that listen for changes in their organization. */
export class ChangeStreams {
  readonly #deps: ChangeStreamsDeps;
  readonly #open = new Map<ChangeStream, string>();

  constructor(deps: ChangeStreamsDeps) {
    this.#deps = deps;
  }

  /** Streams the organization's changes until either side closes. Throws `AppError` too_many_requests. */
  open(listener: Listener, reply: FastifyReply): FastifyReply {
    const whose = `${listener.orgId}:${listener.userId}`;
    if ([...this.#open.values()].filter((other) => other === whose).length >= MAX_PER_MEMBER)
      throw new AppError(
        "too_many_requests",
        `At most ${MAX_PER_MEMBER} of your browsers can listen at once. Close one first.`,
        {
          retryAfterSecs: RETRY_AFTER_SECS,
        },
      );
    const stream = new ChangeStream(listener, this.#deps, () => this.#open.delete(stream));
    this.#open.set(stream, whose);
    // The client may have disconnected during the access check.
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

class ChangeStream {
  readonly #listener: Listener;
  readonly #log: Logger;
  readonly #events: EventStream;
  readonly #onEnded: () => void;
  readonly #stopRechecks: () => void;
  readonly #subscription: LastingSubscription;
  #ending: Promise<void> | undefined;

  constructor(listener: Listener, { bus, clock, log }: ChangeStreamsDeps, onEnded: () => void) {
    this.#listener = listener;
    this.#log = log;
    this.#onEnded = onEnded;
    this.#events = new EventStream(clock, HEARTBEAT_MS);
    // Headers are sent with the first bytes, and nothing may change for hours.
    this.#events.comment("listening");
    this.#stopRechecks = clock.every(HEARTBEAT_MS, () => void this.#recheck());
    this.#subscription = onOrgChange(listener.orgId, { bus, clock }, (changed) =>
      this.#events.send("changed", changed),
    );
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
    this.#stopRechecks();
    this.#events.end();
    await this.#subscription.stop();
  }

  async #recheck(): Promise<void> {
    try {
      await this.#listener.recheckAccess();
    } catch (error) {
      if (error instanceof AppError) this.end();
      else
        this.#log.warn(
          { event: "changes_access_check_failed", err: messageOf(error) },
          "failed to check the access of a page that listens for changes",
        );
    }
  }
}
