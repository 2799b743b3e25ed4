import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import type { ChatTool } from "@parley/shared/contracts/chat.ts";
import { storable, storableText } from "@parley/shared/contracts/storable.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Answer, AnswerPart, Listener } from "./answer-parts.ts";
import type { Talker } from "./talker.ts";

const MAX_REPLY_CHARS = 64_000;
/** Further nodes of an answer are not recorded. */
const MAX_NODES = 600;
const MAX_TOOLS_CHARS = 2 * 1_048_576;

type HandOff = Extract<BrainControl, { event: "hand_off" }>;

/** What one agent has said and done so far. */
interface OpenPart {
  readonly talker: Talker;
  readonly tools: ChatTool[];
  readonly path: string[];
  readonly tokens: ModelTokens[];
  reply: string;
}

/** An answer in progress. */
export class Draft {
  readonly #listener: Listener;
  readonly #parts: OpenPart[];
  #chars = 0;
  #toolsChars = 0;
  #handOff: HandOff | undefined;
  isEnded = false;

  constructor(listener: Listener, talker: Talker) {
    this.#listener = listener;
    this.#parts = [{ talker, tools: [], path: [], tokens: [], reply: "" }];
  }

  add(part: BrainPart): void {
    if (part.type === "token") this.say(part.text);
    else this.#execute(part.control);
  }

  /** Counts a model request of the current talker. */
  readonly onTokens = (tokens: ModelTokens): void => {
    this.#last.tokens.push(tokens);
  };

  /** Returns and clears the pending hand-off. */
  takeHandOff(): HandOff | undefined {
    const handOff = this.#handOff;
    this.#handOff = undefined;
    return handOff;
  }

  /** Continues with another agent. */
  goOn(talker: Talker): void {
    if (this.#last.reply !== "" && !/\s$/.test(this.#last.reply)) this.say(" ");
    this.#parts.push({ talker, tools: [], path: [], tokens: [], reply: "" });
  }

  finish(how: Pick<Answer, "isInterrupted" | "tookMs" | "brain" | "place">): Answer {
    const parts = this.#parts.map(
      ({ talker, reply, tools, path, tokens }): AnswerPart => ({
        agentId: talker.agentId,
        agentVersion: talker.agentVersion,
        summary: talker.isNew ? (talker.variables.summary ?? "") : undefined,
        reply: storableText(reply).trim(),
        tools,
        path,
        tokens,
      }),
    );
    const whole = this.#parts.map(({ reply }) => reply).join("");
    const tools = parts.flatMap((part) => part.tools);
    return { reply: storableText(whole).trim(), tools, parts, isEnded: this.isEnded, ...how };
  }

  /** Throws `AppError` response_too_large. */
  say(text: string): void {
    if (text === "") return;
    this.#last.reply += text;
    this.#chars += text.length;
    if (this.#chars > MAX_REPLY_CHARS) throw tooLarge(`a reply of more than ${MAX_REPLY_CHARS} characters`);
    this.#listener.onText(text);
  }

  get #last(): OpenPart {
    return this.#parts[this.#parts.length - 1] as OpenPart;
  }

  /** Ignores controls that need a voice. */
  #execute(control: BrainControl): void {
    switch (control.event) {
      case "tool":
        this.#use(toTool(control));
        break;
      case "call_end":
        this.#end(control.farewell ?? "");
        break;
      case "node_entered":
        if (this.#last.path.length < MAX_NODES) this.#last.path.push(storableText(control.node));
        break;
      case "hand_off":
        this.#handOff = control;
        break;
      case "clear":
      case "dtmf":
      case "flush":
      case "listen":
      case "transfer":
      case "tool_call":
        break;
      default:
        control satisfies never;
    }
  }

  #end(farewell: string): void {
    this.isEnded = true;
    if (farewell.trim() !== "") this.say(/(^|\s)$/.test(this.#last.reply) ? farewell : ` ${farewell}`);
  }

  #use(tool: ChatTool): void {
    this.#toolsChars += JSON.stringify(tool).length;
    if (this.#toolsChars > MAX_TOOLS_CHARS) throw tooLarge("tool results of more than 2 MiB");
    this.#last.tools.push(tool);
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
