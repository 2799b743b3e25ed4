import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Dispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { judge, type Outcome } from "./attempt.ts";
import { type ClaimedDelivery, claimDeliveries, countBacklog, recordResult } from "./delivery-store.ts";
import { disableEndpoint, noteLastError } from "./endpoint-store.ts";
import { send } from "./send.ts";

const POLL_MS = 5_000;
const CLAIM_LIMIT = 32;
/** Spec 2, "Limits": longer than an attempt may take. */
export const LEASE_MS = 60_000;
/** Sends under way in all, and to one endpoint: a slow receiver takes nobody else's place. */
const MAX_UNDER_WAY = 64;
const MAX_PER_ENDPOINT = 8;
/** Deliveries were committed, in some process. */
export const DUE_CHANNEL = "webhooks-due";

export interface DelivererDeps {
  readonly database: Database;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "webhookDeliveriesTotal" | "webhookDelaySeconds" | "webhookBacklog">;
  readonly secrets: SecretBox;
  readonly dispatcher: Dispatcher;
  /** An endpoint was disabled, or a first delivery to it died. */
  readonly onTrouble: (trouble: Trouble) => void;
}

export interface Trouble {
  readonly orgId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly reason: string;
  readonly isDisabled: boolean;
}

/**
 * Sends what is due, side by side within bounds. A delivery that was just raised is taken at once; the poll is the
 * safety net. Any number of processes do it together.
 */
export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #underWay = new Map<string, number>();
  readonly #sends = new Set<Promise<void>>();
  #stopPolling: () => void = () => undefined;
  #stopListening: Promise<Unsubscribe | undefined> = Promise.resolve(undefined);
  #claiming: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, channels } = this.#deps;
    this.#stopPolling = clock.every(POLL_MS, () => this.wake());
    // Without the bus the poll finds what is due.
    this.#stopListening = channels.subscribe(DUE_CHANNEL, () => this.wake()).catch(() => undefined);
    this.wake();
  }

  /** Deliveries were committed: this process takes them, or another one that is told. */
  announce(): void {
    this.wake();
    this.#deps.channels.publish(DUE_CHANNEL, "").catch(() => undefined);
  }

  /** Looks for due deliveries now. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#claiming ??= this.#claimWhileWanted().finally(() => {
      this.#claiming = undefined;
    });
  }

  /** Takes nothing new; resolves when what was begun is recorded. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopPolling();
    await (await this.#stopListening)?.().catch(() => undefined);
    await this.#claiming;
    await Promise.all(this.#sends);
  }

  async #claimWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      try {
        await this.#claim();
      } catch (error) {
        this.#deps.log.warn({ err: messageOf(error) }, "webhook deliveries could not be claimed");
      }
    }
  }

  async #claim(): Promise<void> {
    const { database, clock, metrics } = this.#deps;
    metrics.webhookBacklog.set(await countBacklog(database));
    const limit = Math.min(CLAIM_LIMIT, MAX_UNDER_WAY - this.#sends.size);
    if (limit <= 0) return;
    const nowMs = clock.wallMs();
    const claimId = newId("evt");
    const claimed = await claimDeliveries(database, {
      claimId,
      at: new Date(nowMs),
      leasedUntil: new Date(nowMs + LEASE_MS),
      limit,
      perEndpoint: MAX_PER_ENDPOINT,
      underWay: this.#underWay,
    });
    for (const delivery of claimed) this.#begin(delivery, claimId);
    // There may be more of the same; nothing came back when there is none.
    if (claimed.length > 0) this.#isWanted = true;
  }

  #begin(delivery: ClaimedDelivery, claimId: string): void {
    const { endpointId } = delivery;
    this.#underWay.set(endpointId, (this.#underWay.get(endpointId) ?? 0) + 1);
    const sending = this.#deliver(delivery, claimId)
      .catch((error: unknown) => {
        // The lease runs out and the delivery is made again: duplicates are routine (spec 2).
        this.#deps.log.warn({ err: messageOf(error), deliveryId: delivery.id }, "a result was not recorded");
      })
      .finally(() => {
        this.#sends.delete(sending);
        const left = (this.#underWay.get(endpointId) ?? 1) - 1;
        if (left > 0) this.#underWay.set(endpointId, left);
        else this.#underWay.delete(endpointId);
        this.wake();
      });
    this.#sends.add(sending);
  }

  async #deliver(delivery: ClaimedDelivery, claimId: string): Promise<void> {
    const { clock, dispatcher, secrets } = this.#deps;
    const startedMs = clock.monotonicMs();
    const outcome = await send(dispatcher, {
      deliveryId: delivery.id,
      event: delivery.event,
      url: delivery.url,
      body: delivery.body,
      secret: secrets.open(delivery.secretSealed, secretContext(delivery.endpointId)),
      wallMs: clock.wallMs(),
    });
    await this.#record(delivery, {
      claimId,
      outcome,
      durationMs: Math.round(clock.monotonicMs() - startedMs),
    });
  }

  async #record(
    delivery: ClaimedDelivery,
    { claimId, outcome, durationMs }: { claimId: string; outcome: Outcome; durationMs: number },
  ): Promise<void> {
    const { database, clock, metrics, onTrouble } = this.#deps;
    const attempts = delivery.attempts + 1;
    const verdict = judge(outcome, attempts);
    const nowMs = clock.wallMs();
    const isAnswer = outcome.kind === "answered";
    const trouble = await database.db.transaction().execute(async (trx) => {
      const isOurs = await recordResult(trx, delivery.id, {
        claimId,
        status: verdict.status,
        attempts,
        at: new Date(nowMs),
        nextAttemptAt:
          verdict.retryAfterMs === undefined ? undefined : new Date(nowMs + verdict.retryAfterMs),
        responseStatus: isAnswer ? outcome.status : null,
        responseBody: isAnswer ? outcome.body : null,
        error: verdict.error,
        durationMs,
      });
      if (!isOurs || verdict.lastError === undefined) return undefined;
      if (verdict.disable !== undefined) {
        return (await disableEndpoint(trx, delivery.endpointId, verdict.disable)) ? "disabled" : undefined;
      }
      return (await noteLastError(trx, delivery.endpointId, verdict.lastError)) ? "failing" : undefined;
    });
    metrics.webhookDeliveriesTotal.inc({ status: verdict.status });
    if (verdict.status === "delivered") metrics.webhookDelaySeconds.observe(durationMs / 1_000);
    if (trouble === undefined) return;
    const { endpointId, orgId, url } = delivery;
    onTrouble({ orgId, endpointId, url, reason: verdict.error ?? "", isDisabled: trouble === "disabled" });
  }
}

/** The sealed secret opens for its endpoint only. */
export const secretContext = (endpointId: string): string => `webhook:${endpointId}`;
