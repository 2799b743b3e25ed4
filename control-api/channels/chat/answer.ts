import type { BrainClient, BrainPart } from "@parley/shared/brain/client.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { BrainControl } from "@parley/shared/contracts/brain.ts";
import type { ChatTool } from "@parley/shared/contracts/chat.ts";
import { storable, storableText } from "@parley/shared/contracts/storable.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { OpenedTurn } from "./open-turn.ts";

/** Within the minute that clients are told to wait for. */
const MAX_ANSWER_MS = 55_000;
const MAX_REPLY_CHARS = 64_000;
const MAX_TOOLS_CHARS = 2 * 1_048_576;

/** What the brain made of one message. */
export interface Answer {
  readonly reply: string;
  readonly tools: readonly ChatTool[];
  /** The brain ended the chat. */
  readonly isEnded: boolean;
  /** Whoever listened went away before it was complete. */
  readonly isInterrupted: boolean;
  readonly tookMs: number;
}

/** Who reads the answer as it is generated; aborting `signal` ends it. */
export interface Listener {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly onTool: (tool: ChatTool) => void;
}

export const NOBODY: Listener = {
  signal: new AbortController().signal,
  onText: () => undefined,
  onTool: () => undefined,
};

/**
 * Asks the brain and waits for the whole answer. Throws `AppError` brain_failed, deadline_exceeded,
 * response_too_large.
 */
export async function askBrain(
  turn: OpenedTurn,
  { brain, clock }: { readonly brain: BrainClient; readonly clock: Clock },
  listener: Listener,
): Promise<Answer> {
  const startedMs = clock.monotonicMs();
  const deadline = new AbortController();
  const cancel = clock.after(MAX_ANSWER_MS, () => deadline.abort());
  const draft = new Draft(listener);
  try {
    const parts = brain.ask({
      plan: turn.brain,
      orgId: turn.orgId,
      request: requestOf(turn),
      identifier: turn.identifier,
      history: turn.history,
      medium: "text",
      signal: AbortSignal.any([deadline.signal, listener.signal]),
      onSent: () => undefined,
      onFirstContent: () => undefined,
    });
    for await (const part of parts) {
      draft.add(part);
      if (draft.isEnded) break;
    }
  } finally {
    cancel();
  }
  if (deadline.signal.aborted && !draft.isEnded) {
    throw new AppError("deadline_exceeded", `The agent's brain took longer than ${MAX_ANSWER_MS / 1_000} s.`);
  }
  const isInterrupted = listener.signal.aborted && !draft.isEnded;
  return draft.finish({ isInterrupted, tookMs: clock.monotonicMs() - startedMs });
}

function requestOf({ variables, input, userId, sessionId, turn, heard }: OpenedTurn) {
  return {
    channel: "chat",
    ...variables,
    query: input,
    userId,
    sessionId,
    turn,
    ...(heard === undefined ? {} : { heard }),
  };
}

/** An answer while it grows. */
class Draft {
  readonly #listener: Listener;
  readonly #tools: ChatTool[] = [];
  #reply = "";
  #toolsChars = 0;
  isEnded = false;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  add(part: BrainPart): void {
    if (part.type === "token") this.#say(part.text);
    else this.#execute(part.control);
  }

  /** What only a voice can do is passed over. */
  #execute(control: BrainControl): void {
    switch (control.event) {
      case "tool":
        this.#use(toTool(control));
        break;
      case "call_end":
        this.#end(control.farewell ?? "");
        break;
      case "clear":
      case "dtmf":
      case "flush":
      case "listen":
      case "node_entered":
      case "transfer":
      case "tool_call":
        break;
      default:
        control satisfies never;
    }
  }

  finish(how: Pick<Answer, "isInterrupted" | "tookMs">): Answer {
    return { reply: storableText(this.#reply).trim(), tools: this.#tools, isEnded: this.isEnded, ...how };
  }

  #say(text: string): void {
    this.#reply += text;
    if (this.#reply.length > MAX_REPLY_CHARS)
      throw tooLarge(`a reply of more than ${MAX_REPLY_CHARS} characters`);
    this.#listener.onText(text);
  }

  #end(farewell: string): void {
    this.isEnded = true;
    if (farewell.trim() !== "") this.#say(/(^|\s)$/.test(this.#reply) ? farewell : ` ${farewell}`);
  }

  #use(tool: ChatTool): void {
    this.#toolsChars += JSON.stringify(tool).length;
    if (this.#toolsChars > MAX_TOOLS_CHARS) throw tooLarge("tool results of more than 2 MiB");
    this.#tools.push(tool);
    this.#listener.onTool(tool);
  }
}

function tooLarge(what: string): AppError {
  return new AppError("response_too_large", `The agent's brain sent ${what}; it has to be shorter.`);
}

function toTool(tool: Extract<BrainControl, { event: "tool" }>): ChatTool {
  const { name, arguments: given, result, status, latencyMs } = tool;
  return {
    name: storableText(name),
    arguments: storable(given ?? null),
    result: storable(result ?? null),
    status,
    latencyMs: Math.round(latencyMs),
  };
}
