import type { Heard } from "../../contracts/brain.ts";
import type { AgentLine } from "../port.ts";
import { asJson } from "./chunks.ts";
import type { ChatMessage, ToolCall } from "./messages.ts";

const MAX_TURNS = 200;
/** Total characters of all turns before the current one. */
const MAX_CHARS = 200_000;
/** Result of a tool call whose answer nobody waited for. */
const ABANDONED = JSON.stringify({
  error: { code: "abandoned", message: "The caller spoke before it was done." },
});

/** One turn: what the caller said, and what the model said and called as it streamed. */
export class TurnRecord {
  readonly turn: number;
  readonly query: string;
  /** What the caller heard of the interrupted answer that precedes this turn. */
  readonly heard: Heard | undefined;
  #said = "";
  readonly #rounds: { readonly text: string; readonly calls: readonly ToolCall[] }[] = [];
  readonly #results = new Map<string, string>();
  #chars: number;

  constructor({ turn, query, heard }: { turn: number; query: string; heard: Heard | undefined }) {
    this.turn = turn;
    this.query = query;
    this.heard = heard;
    this.#chars = query.length;
  }

  get chars(): number {
    return this.#chars;
  }

  say(text: string): void {
    this.#said += text;
    this.#chars += text.length;
  }

  /** Ends what was said since the last round with these calls. */
  call(calls: readonly ToolCall[]): void {
    this.#rounds.push({ text: this.#said, calls });
    this.#said = "";
    for (const { name, argumentsText } of calls) this.#chars += name.length + argumentsText.length;
  }

  result(callId: string, content: string): void {
    this.#results.set(callId, content);
    this.#chars += content.length;
  }

  /** The turn's messages. An interrupted answer shrinks to what was heard of it; tool results stay. */
  messages(cut?: Heard): ChatMessage[] {
    const rounds = this.#rounds.flatMap(({ text, calls }) => [
      { ...assistant(cut ? "" : text), tool_calls: calls.map(asMessage) },
      ...calls.map(({ id }) => toolMessage(id, this.#results.get(id) ?? ABANDONED)),
    ]);
    const last = cut ? cut.text : this.#said;
    return [{ role: "user", content: this.query }, ...rounds, ...(last === "" ? [] : [assistant(last)])];
  }
}

/** What was said in one call, as far as its brain knows. Bounded: the oldest turns are forgotten. */
export class Conversation {
  #turns: TurnRecord[] = [];

  /** Begins a turn; asking a turn again replaces its earlier record. */
  begin(question: { turn: number; query: string; heard: Heard | undefined }): TurnRecord {
    this.#turns = this.#turns.filter(({ turn }) => turn < question.turn);
    let chars = this.#turns.reduce((sum, turn) => sum + turn.chars, 0);
    while (this.#turns.length >= MAX_TURNS || chars > MAX_CHARS) chars -= this.#turns.shift()?.chars ?? chars;
    const record = new TurnRecord(question);
    this.#turns.push(record);
    return record;
  }

  /** All messages up to the turn begun last, with the agent's own lines in their places. */
  messages(lines: readonly AgentLine[]): ChatMessage[] {
    const [oldest] = this.#turns;
    const wanted = lines.filter(({ turn }) => turn >= (oldest?.turn ?? 0) - 1);
    const messages: ChatMessage[] = [];
    const cuts = new Map(this.#turns.flatMap(({ heard }) => (heard ? [[heard.turn, heard]] : [])));
    let told = 0;
    this.#turns.forEach((record, index) => {
      const next = this.#turns[index + 1];
      for (; told < wanted.length; told++) {
        const line = wanted[told];
        // A line of the turn being asked again came before these words of the caller.
        if (!line || (next && line.turn >= record.turn)) break;
        messages.push(assistant(line.text));
      }
      messages.push(...record.messages(cuts.get(record.turn)));
    });
    return joined(messages);
  }
}

function assistant(content: string): { role: "assistant"; content: string | null } {
  return { role: "assistant", content: content === "" ? null : content };
}

function toolMessage(id: string, content: string): ChatMessage {
  return { role: "tool", tool_call_id: id, content };
}

function asMessage({ id, name, argumentsText }: ToolCall) {
  // Servers that re-parse the arguments of earlier calls fail on anything but a JSON object.
  const isObject = typeof asJson(argumentsText) === "object";
  return { id, type: "function" as const, function: { name, arguments: isObject ? argumentsText : "{}" } };
}

/** Joins consecutive messages of one role: some models insist on alternating turns. */
function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    const before = result.at(-1);
    const isLine = message.role === "assistant" && !message.tool_calls;
    if (isLine && before?.role === "assistant" && !before.tool_calls) {
      result[result.length - 1] = assistant(`${before.content ?? ""} ${message.content ?? ""}`.trim());
    } else result.push(message);
  }
  return result;
}
