import type { Channels } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";
import {
  TOOL_RUN_SILENCE_MS,
  TOOL_RUNS_CHANNEL,
  type ToolRunReply,
  toolRunEnvelopeSchema,
  toolRunReplySchema,
} from "../contracts/tool-runs.ts";
import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { MessageBox } from "../security/message-box.ts";
import { randomToken } from "../security/secrets.ts";
import type { CalledControlApiTool, ControlApiToolOutcome, ControlApiTools } from "./port.ts";

export interface BusToolsDeps {
  readonly channels: Channels;
  readonly messages: MessageBox;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Time on top of the tool's own limit for the way there and back; the control API itself reports a timeout. */
const SLACK_MS = 1_000;
const ID_BYTES = 16;

/** Asks the control API over the bus to run a tool: one of its processes does, until the run is done or abandoned. */
export class BusTools implements ControlApiTools {
  readonly #deps: BusToolsDeps;
  readonly #replyTo = `tool-replies:${randomToken(ID_BYTES)}`;
  readonly #waiting = new Map<string, (reply: ToolRunReply) => void>();
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(deps: BusToolsDeps) {
    this.#deps = deps;
  }

  async run(called: CalledControlApiTool): Promise<ControlApiToolOutcome> {
    const { signal, tool } = called;
    if (signal.aborted) return ABANDONED;
    if (this.#deps.channels.hasNoSubscriber(TOOL_RUNS_CHANNEL)) return NOBODY;
    const id = randomToken(ID_BYTES);
    const { promise, resolve } = Promise.withResolvers<ControlApiToolOutcome>();
    const { clock } = this.#deps;
    const giveUp = (outcome: ControlApiToolOutcome) => (): void => {
      this.#send(id, { type: "cancel" }).catch(() => undefined);
      resolve(outcome);
    };
    const onAbort = giveUp(ABANDONED);
    let stopSilence = clock.after(TOOL_RUN_SILENCE_MS, giveUp(AWAY));
    const stopDeadline = clock.after(tool.timeoutMs + SLACK_MS, giveUp(LATE));
    this.#waiting.set(id, (reply) => {
      stopSilence();
      if (reply.type === "done") resolve({ status: reply.status, result: reply.result });
      else stopSilence = clock.after(TOOL_RUN_SILENCE_MS, giveUp(AWAY));
    });
    signal.addEventListener("abort", onAbort, { once: true });
    this.#ask(id, called).catch((error: unknown) => {
      const err = messageOf(error);
      this.#deps.log.warn(
        { event: "tool_run_not_asked", err },
        "failed to ask the control API to run a tool",
      );
      resolve(AWAY);
    });
    try {
      return await promise;
    } finally {
      stopSilence();
      stopDeadline();
      signal.removeEventListener("abort", onAbort);
      this.#waiting.delete(id);
    }
  }

  /** Stops listening for answers. */
  async close(): Promise<void> {
    const stop = await this.#listening?.catch(() => undefined);
    await stop?.();
  }

  async #ask(id: string, { tool, signal: _, ...called }: CalledControlApiTool): Promise<void> {
    await this.#listen();
    const { name, agentId, agentVersion, timeoutMs } = tool;
    await this.#send(id, {
      type: "run",
      askedAtMs: this.#deps.clock.wallMs(),
      ...called,
      tool: name,
      agentId,
      agentVersion,
      timeoutMs,
    });
  }

  #send(id: string, request: object): Promise<void> {
    const { channels, messages } = this.#deps;
    const sealed = messages.seal(request, `tool-run:request:${id}`);
    return channels.publish(TOOL_RUNS_CHANNEL, JSON.stringify({ id, replyTo: this.#replyTo, sealed }));
  }

  /** One channel for all answers to this process; the next caller retries a failed subscription. */
  #listen(): Promise<unknown> {
    this.#listening ??= this.#deps.channels.subscribe(this.#replyTo, (text) => this.#take(text));
    this.#listening.catch(() => {
      this.#listening = undefined;
    });
    return this.#listening;
  }

  #take(text: string): void {
    const { id, sealed } = toolRunEnvelopeSchema.parse(JSON.parse(text));
    const reply = this.#waiting.get(id);
    reply?.(toolRunReplySchema.parse(this.#deps.messages.open(sealed, `tool-run:reply:${id}`)));
  }
}

function failure(
  code: string,
  message: string,
  status: ControlApiToolOutcome["status"] = "error",
): ControlApiToolOutcome {
  return { status, result: { error: { code, message } } };
}

const ABANDONED = failure("abandoned", "The caller spoke before it was done.", "abandoned");
const NOBODY = failure("unavailable", "This cannot be done at the moment. Nothing was begun.");
const AWAY = failure("unavailable", "This cannot be done at the moment. Whether it was begun is not known.");
const LATE = failure("deadline_exceeded", "It took too long. Whether it was done is not known.");
