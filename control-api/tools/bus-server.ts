import type { Bus, Unsubscribe } from "@parley/shared/bus/bus.ts";
import {
  MAX_ARGUMENTS_BYTES,
  TOOL_RUN_BEAT_MS,
  TOOL_RUN_MAX_AGE_MS,
  TOOL_RUNS_CHANNEL,
  type ToolRunReply,
  type ToolRunRequest,
  toolRunEnvelopeSchema,
  toolRunKey,
  toolRunRequestSchema,
} from "@parley/shared/contracts/tool-runs.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { OrgShare } from "@parley/shared/org-share.ts";
import type { MessageBox } from "@parley/shared/security/message-box.ts";
import { type FoundTool, type RunnerDeps, runTool } from "./runner.ts";
import type { ToolPlace } from "./store.ts";

export interface BusServerDeps extends RunnerDeps {
  readonly channels: Bus["channels"];
  readonly messages: MessageBox;
  /** A tool in an ongoing call; undefined when there is no such call or tool. */
  readonly findTool: (place: ToolPlace & { readonly sessionId: string }) => Promise<FoundTool | undefined>;
}

/** Concurrent runs per process; runs wait for vendors rather than use the processor. */
const MAX_RUNS = 500;
const MAX_RUNS_OF_ONE = 100;
const TRY_AGAIN_MS = 1_000;

const STOPPING = new AppError(
  "unavailable",
  "This cannot be done right now. It is unknown whether it was done.",
);

type Order = Extract<ToolRunRequest, { type: "run" }>;

/** Runs tools for gateways' calls. Each request reaches every control API; the first to claim it runs it. */
export class BusServer {
  readonly #deps: BusServerDeps;
  readonly #running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  readonly #share = new OrgShare(MAX_RUNS, MAX_RUNS_OF_ONE);
  #unsubscribe: Unsubscribe | undefined;
  #isStopping = false;

  constructor(deps: BusServerDeps) {
    this.#deps = deps;
  }

  /** Subscribes to requests; after a failure, retries every second in the background. */
  async start(): Promise<void> {
    const { channels, clock, log } = this.#deps;
    try {
      this.#unsubscribe = await channels.subscribe(TOOL_RUNS_CHANNEL, (text) => this.#take(text));
      if (this.#isStopping) await this.#unsubscribe();
    } catch (error) {
      log.warn(
        { event: "tool_runs_not_served", err: messageOf(error) },
        "failed to listen for tools to be run, trying again",
      );
      if (!this.#isStopping) clock.after(TRY_AGAIN_MS, () => void this.start());
    }
  }

  /** Refuses new runs and aborts current ones: gateways are told at once, and ask another process next time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#unsubscribe?.();
    for (const { abort } of this.#running.values()) abort.abort(STOPPING);
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  #take(text: string): void {
    const { id, replyTo, sealed } = toolRunEnvelopeSchema.parse(JSON.parse(text));
    const request = toolRunRequestSchema.parse(this.#deps.messages.open(sealed, `tool-run:request:${id}`));
    if (request.type === "cancel") this.#running.get(id)?.abort.abort();
    else if (this.#mayRun(request)) this.#begin(request, { id, replyTo });
  }

  #mayRun({ askedAtMs, orgId, arguments: args }: Order): boolean {
    const isFresh = Math.abs(this.#deps.clock.wallMs() - askedAtMs) < TOOL_RUN_MAX_AGE_MS;
    const fits = Buffer.byteLength(JSON.stringify(args)) <= MAX_ARGUMENTS_BYTES;
    return isFresh && fits && !this.#isStopping && this.#share.hasRoom(orgId);
  }

  #begin(order: Order, from: { readonly id: string; readonly replyTo: string }): void {
    const abort = new AbortController();
    this.#share.take(order.orgId);
    const done = this.#run(order, from, abort.signal)
      .catch((error: unknown) =>
        this.#deps.log.warn(
          { event: "tool_run_not_answered", err: messageOf(error) },
          "failed to tell a gateway what came of a tool",
        ),
      )
      .finally(() => {
        this.#share.giveBack(order.orgId);
        this.#running.delete(from.id);
      });
    this.#running.set(from.id, { abort, done });
  }

  async #run(
    order: Order,
    { id, replyTo }: { readonly id: string; readonly replyTo: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { channels, keys, clock, messages } = this.#deps;
    // Read while the run is claimed, although another process may win it: the caller waits for both.
    const found = this.#deps.findTool({ ...order, name: order.tool });
    found.catch(() => undefined);
    if (!(await keys.setIfAbsent(toolRunKey(id), "taken", 2 * TOOL_RUN_MAX_AGE_MS))) return;
    const reply = (message: ToolRunReply): Promise<void> => {
      const sealed = messages.seal(message, `tool-run:reply:${id}`);
      return channels.publish(replyTo, JSON.stringify({ id, replyTo, sealed }));
    };
    const beat = (): void => void reply({ type: "running" }).catch(() => undefined);
    const stopBeating = clock.every(TOOL_RUN_BEAT_MS, beat);
    try {
      const { status, result } = await runTool(() => found, { ...order, signal }, this.#deps);
      await reply({ type: "done", status, result });
    } finally {
      stopBeating();
    }
  }
}
