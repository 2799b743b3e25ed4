import { BrainError } from "../brain-error.ts";
import type { CallDelta } from "./chunks.ts";
import type { ToolCall } from "./messages.ts";

/** Total characters of all calls in one answer. */
const MAX_CHARS = 256 * 1024;
const MAX_CALLS = 16;

interface OpenCall {
  readonly index: number | undefined;
  /** The id and the name may both arrive after the call has begun. */
  id: string | undefined;
  name: string;
  argumentsText: string;
}

/**
 * Assembles streamed tool calls. Pieces belong to the call of their index; servers that send whole calls omit the
 * index, or give every call the same index and an id of its own. Throws `BrainError` too_large.
 */
export class ToolCallAssembler {
  readonly #calls: OpenCall[] = [];
  #chars = 0;

  push(delta: CallDelta): void {
    const call = this.#openFor(delta);
    const piece = delta.function?.arguments ?? "";
    call.argumentsText += piece;
    this.#chars += piece.length;
    if (this.#chars > MAX_CHARS || this.#calls.length > MAX_CALLS) {
      throw new BrainError("too_large", "The model's tool calls are too large (16 calls, 256 KiB).");
    }
  }

  /** The calls in the order in which they began. */
  get calls(): readonly ToolCall[] {
    return this.#calls.map(({ id, name, argumentsText }, at) => ({
      id: id ?? `call_${at}`,
      name,
      argumentsText,
    }));
  }

  #openFor({ index, id: givenId, function: named }: CallDelta): OpenCall {
    const id = givenId || undefined;
    const name = named?.name || undefined;
    const known =
      index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    if (!known || isAnother(known, { index, id, name })) {
      const opened: OpenCall = { index, id, name: name ?? "", argumentsText: "" };
      this.#calls.push(opened);
      return opened;
    }
    known.id ??= id;
    if (known.name === "") known.name = name ?? "";
    return known;
  }
}

/** Whether a piece begins another call: it repeats a name and does not claim to belong to the current call. */
function isAnother(
  known: OpenCall,
  { index, id, name }: { index: number | undefined; id: string | undefined; name: string | undefined },
): boolean {
  if (name === undefined) return false;
  if (id !== undefined && known.id !== undefined) return id !== known.id;
  if (known.name === "") return false;
  return index === undefined || id !== undefined;
}
