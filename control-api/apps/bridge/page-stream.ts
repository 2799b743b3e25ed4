import { BridgeError } from "@parley/platform/wire/errors.ts";
import {
  type BridgeResponse,
  type BridgeStreamMessage,
  cancelSchema,
  requestSchema,
} from "@parley/platform/wire/messages.ts";
import type { FastifyReply } from "fastify";
import type { MemberPrincipal } from "../../http/access/principal.ts";
import { EventStream } from "../../http/event-stream.ts";
import { type ArrivedCall, toBridgeError } from "./bridge.ts";
import { RECHECK_MS, type StreamsDeps } from "./deps.ts";
import { eventMessage } from "./event-message.ts";
import type { Unsubscribe } from "./handlers.ts";
import type { Relayed } from "./relayed.ts";

/** More than any page shows; each frame has its own bound besides. */
const MAX_SUBSCRIPTIONS = 2_000;

/** The request that opened a stream. */
export type OpenedBy = Pick<ArrivedCall, "member" | "client" | "signal" | "requestId"> & {
  /** Throws when the member may no longer listen. */
  readonly recheckAccess: () => Promise<MemberPrincipal>;
};

interface Subscription {
  readonly arrived: ArrivedCall;
  /** Undefined until in force. */
  unsubscribe: Unsubscribe | undefined;
}

interface PageStreamDeps extends StreamsDeps {
  readonly onEnded: () => void;
  /** Resolves once requests for the stream reach `handler`. */
  readonly serve: (handler: (relayed: Relayed) => Promise<BridgeResponse>) => Promise<Unsubscribe>;
}

/** The stream of one page, with its subscriptions by the ids that the page gave them. */
export class PageStream {
  readonly #streamId: string;
  readonly #by: OpenedBy;
  readonly #deps: PageStreamDeps;
  readonly #events: EventStream;
  readonly #subscriptions = new Map<number, Subscription>();
  #stopServing: Unsubscribe | undefined;
  #stopRechecks: () => void = () => undefined;
  #isOver = false;

  constructor(streamId: string, by: OpenedBy, deps: PageStreamDeps) {
    this.#streamId = streamId;
    this.#by = by;
    this.#deps = deps;
    this.#events = new EventStream(deps.clock, RECHECK_MS);
  }

  answer(reply: FastifyReply): FastifyReply {
    return this.#events.answer(reply);
  }

  async begin(): Promise<void> {
    if (this.#by.signal.aborted) return this.end();
    this.#by.signal.addEventListener("abort", () => void this.end());
    this.#stopRechecks = this.#deps.clock.every(RECHECK_MS, () => void this.#recheck());
    try {
      const stopServing = await this.#deps.serve((relayed) => this.#take(relayed));
      if (this.#isOver) return await stopServing();
      this.#stopServing = stopServing;
      this.#events.send("message", { kind: "opened", streamId: this.#streamId });
    } catch {
      await this.end();
    }
  }

  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopRechecks();
    this.#deps.onEnded();
    this.#events.end();
    await this.#stopServing?.().catch(() => undefined);
    await Promise.all([...this.#subscriptions.keys()].map((id) => this.#drop(id)));
  }

  /** Never rejects: a refusal is an answer. */
  async #take({ orgId, userId, appId, token, body }: Relayed): Promise<BridgeResponse> {
    const { member } = this.#by;
    const canceled = cancelSchema.safeParse(body);
    const id = canceled.data?.id ?? requestSchema.safeParse(body).data?.id ?? 1;
    try {
      if (orgId !== member.orgId || userId !== member.userId)
        throw new BridgeError("canceled", "The stream is over; open another one.");
      if (canceled.success) await this.#drop(id);
      else await this.#subscribe(id, { ...this.#by, appId, token, body });
      return { kind: "result", id, result: null };
    } catch (error) {
      return { kind: "error", id, error: toBridgeError(error, this.#by, this.#deps.log).toBody() };
    }
  }

  async #subscribe(id: number, arrived: ArrivedCall): Promise<void> {
    if (this.#subscriptions.has(id))
      throw new BridgeError("invalid_arguments", `The stream has a subscription ${id} already.`);
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new BridgeError("rate_limited", `A page has at most ${MAX_SUBSCRIPTIONS} subscriptions.`);
    const subscription: Subscription = { arrived, unsubscribe: undefined };
    this.#subscriptions.set(id, subscription);
    const isOpen = (): boolean => this.#subscriptions.get(id) === subscription;
    try {
      const unsubscribe = await this.#deps.bridge.subscribe(arrived, {
        event: (event) => isOpen() && this.#events.sendJson("message", eventMessage(id, event)),
        end: (error) => void this.#endOne(id, error),
      });
      if (!isOpen()) return await unsubscribe();
      subscription.unsubscribe = unsubscribe;
    } catch (error) {
      if (isOpen()) this.#subscriptions.delete(id);
      throw error;
    }
  }

  async #endOne(id: number, reason: unknown): Promise<void> {
    if (!this.#subscriptions.has(id)) return;
    const error = toBridgeError(reason, this.#by, this.#deps.log).toBody();
    this.#tell({ kind: "error", id, error });
    await this.#drop(id);
  }

  async #drop(id: number): Promise<void> {
    const subscription = this.#subscriptions.get(id);
    this.#subscriptions.delete(id);
    await subscription?.unsubscribe?.().catch(() => undefined);
  }

  /** A member who may no longer listen loses the stream; an app that was uninstalled, its subscriptions. */
  async #recheck(): Promise<void> {
    try {
      const member = await this.#by.recheckAccess();
      for (const [id, { arrived }] of [...this.#subscriptions])
        await this.#deps.bridge
          .recheck({ ...arrived, member })
          .catch((error: unknown) => this.#endOne(id, error));
    } catch {
      await this.end();
    }
  }

  #tell(message: BridgeStreamMessage): void {
    this.#events.send("message", message);
  }
}
