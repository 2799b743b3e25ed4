import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../database/open.ts";
import { judge } from "./attempt.ts";
import { Claims } from "./claims.ts";
import { InFlight } from "./in-flight.ts";
import type { InHand } from "./line.ts";
import { OpenedSecrets } from "./opened-secrets.ts";
import { type Addressee, readBacklog } from "./queue-store.ts";
import { type DeliveryFailure, ResultWriter } from "./result-writer.ts";
import { send } from "./send.ts";

const POLL_MS = 5_000;
/** Places that become free within this time are considered by one claim. */
const GATHER_MS = 1;
/** How long receivers may still answer at shutdown. */
const GRACE_MS = 1_000;
/** Bus channel that announces committed deliveries, from any process. */
export const DUE_CHANNEL = "webhooks-due";

export interface DelivererDeps {
  readonly database: Database;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<
    Metrics,
    "webhookDeliveriesTotal" | "webhookDelaySeconds" | "webhookBacklog" | "webhookOldestDueSeconds"
  >;
  readonly secrets: SecretBox;
  readonly dispatchers: Dispatchers;
  /** Overrides the receiver's time-out of 30 s. */
  readonly receiverTimeMs?: number | undefined;
  readonly onDeliveryFailure: (failure: DeliveryFailure) => void;
}

/**
 * Sends due deliveries concurrently, within bounds. Takes a new delivery at once; the poll is the safety net. Any
 * number of processes may run it together.
 */
export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #results: ResultWriter;
  readonly #secrets: OpenedSecrets;
  readonly #inFlight = new InFlight();
  readonly #claims: Claims;
  #sending = 0;
  /** Called when nothing is being sent any more. */
  #onAllSent: () => void = () => undefined;
  /** Its own announcements come back to it. */
  readonly #name = newId("nod");
  #stopPolling: () => void = () => undefined;
  #stopListening: Promise<Unsubscribe | undefined> = Promise.resolve(undefined);
  #isWakingSoon = false;
  #isHandingOut = false;
  /** Once set, late answers are no longer recorded. */
  #isOver = false;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
    this.#secrets = new OpenedSecrets(deps.secrets);
    this.#claims = new Claims({
      ...deps,
      inFlight: this.#inFlight,
      onClaimed: (inHand) => this.#begin(inHand),
    });
    this.#results = new ResultWriter({
      ...deps,
      onRecorded: (attempts) => this.#claims.settled(attempts.map(({ inHand }) => inHand)),
    });
  }

  start(): void {
    const { clock, channels } = this.#deps;
    this.#stopPolling = clock.every(POLL_MS, () => {
      this.#claims.tidy();
      this.wake();
      void this.#measureBacklog();
    });
    // Without the bus, the poll finds due deliveries.
    this.#stopListening = channels
      .subscribe(DUE_CHANNEL, (name) => {
        if (name !== this.#name) this.wake();
      })
      .catch(() => undefined);
    this.wake();
  }

  /**
   * Deliveries were committed, due now and to these addressees where they are known: wakes this process and tells the
   * others.
   */
  announce(addressees?: readonly Addressee[]): void {
    if (addressees) this.#claims.owe(addressees);
    else this.wake();
    this.#deps.channels.publish(DUE_CHANNEL, this.#name).catch(() => undefined);
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.#claims.look();
  }

  /**
   * Takes no more deliveries; resolves when those in progress are recorded. Receivers get one more second to answer:
   * after that, the lease expires and another process repeats the delivery.
   */
  async stop(): Promise<void> {
    this.#stopPolling();
    await (await this.#stopListening)?.().catch(() => undefined);
    await this.#claims.stop();
    await Promise.race([this.#untilAllSent(), this.#untilGraceIsOver()]);
    this.#isOver = true;
    await this.#results.idle();
  }

  async #untilAllSent(): Promise<void> {
    if (this.#sending === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAllSent = resolve;
    });
  }

  #untilGraceIsOver(): Promise<void> {
    return new Promise((resolve) => this.#deps.clock.after(GRACE_MS, resolve));
  }

  #begin(inHand: InHand): void {
    this.#sending += 1;
    void this.#deliver(inHand);
  }

  /** A place became free: for what is in hand at once, and for what must be claimed a moment later. */
  #wakeSoon(to: Addressee): void {
    if (!this.#claims.handOutNext(to) && !this.#isHandingOut) {
      this.#isHandingOut = true;
      // Once for all answers that came together.
      setImmediate(() => {
        this.#isHandingOut = false;
        this.#claims.handOut();
      });
    }
    if (this.#isWakingSoon) return;
    this.#isWakingSoon = true;
    this.#deps.clock.after(GATHER_MS, () => {
      this.#isWakingSoon = false;
      this.#claims.goOn();
    });
  }

  async #deliver(inHand: InHand): Promise<void> {
    const { clock, dispatchers, receiverTimeMs, log } = this.#deps;
    const { delivery, to } = inHand;
    const startedMs = clock.monotonicMs();
    try {
      const outcome = await send(dispatchers.of(to.orgId), {
        deliveryId: delivery.id,
        event: delivery.event,
        url: to.target,
        body: delivery.body,
        keys: this.#secrets.open(to.secretSealed, to.endpointId),
        wallMs: clock.wallMs(),
        receiverTimeMs,
      });
      const durationMs = Math.round(clock.monotonicMs() - startedMs);
      const isLast = judge(outcome, delivery.attempts + 1).disable !== undefined;
      this.#claims.note(inHand, { isAnswered: outcome.kind === "answered", isLast, durationMs });
      if (!this.#isOver) this.#results.add({ inHand, outcome, durationMs });
    } catch (error) {
      // The lease expires, and the delivery is retried.
      this.#claims.note(inHand, { isAnswered: false, isLast: false, durationMs: 0 });
      log.warn(
        { event: "delivery_crashed", err: messageOf(error), deliveryId: delivery.id },
        "failed to make a webhook delivery",
      );
    } finally {
      this.#inFlight.holdBytes(-Buffer.byteLength(delivery.body));
      this.#inFlight.giveBack(to);
      this.#wakeSoon(to);
      this.#sending -= 1;
      if (this.#sending === 0) this.#onAllSent();
    }
  }

  async #measureBacklog(): Promise<void> {
    const { database, clock, metrics, log } = this.#deps;
    try {
      const { deliveries, oldestDueMs } = await readBacklog(database, new Date(clock.wallMs()));
      metrics.webhookBacklog.set(deliveries);
      metrics.webhookOldestDueSeconds.set(oldestDueMs / 1_000);
    } catch (error) {
      log.warn(
        { event: "webhook_backlog_unknown", err: messageOf(error) },
        "failed to read the backlog of webhooks",
      );
    }
  }
}
