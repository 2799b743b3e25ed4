import { type CallEvent, FIRST_UNCOUNTED_SEQ } from "@parley/shared/contracts/call-events.ts";
import { type ChatUnsent, chatUnsentSchema } from "@parley/shared/contracts/chat.ts";
import type { PiiPolicy } from "@parley/shared/contracts/pii.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import { previewOf, release, SpeakerScrubber, type Utterance } from "@parley/shared/pii/speaker-scrubber.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { StoredChat, Trx } from "./store.ts";

/** How long a message that may end in half a card number waits for the rest: people type more slowly than they talk. */
const HOLD_MS = 60_000;
/** Trailing context re-scanned from released text; longer than anything the rules match. */
const WINDOW_CHARS = 256;
const NOTHING: ChatUnsent = { before: { user: "", assistant: "" }, waiting: [] };

interface Waiting {
  readonly event: CallEvent;
  readonly utterance: Utterance | undefined;
}

/**
 * The exit of a chat for everything kept or sent, as the gateway's `RedactingSink` is for a call: masks what the
 * organization's policy names. A message that may continue in its speaker's next one is held, and everything after it
 * queues behind. Between turns no process has the chat in memory, so held messages are sealed in its row.
 */
export class ChatRedactor {
  readonly #scrubber: Scrubber;
  readonly #speakers: Readonly<Record<"user" | "assistant", SpeakerScrubber>>;
  readonly #before: ChatUnsent["before"];
  readonly #waiting: Waiting[] = [];

  constructor(policy: PiiPolicy, { before, waiting }: ChatUnsent = NOTHING) {
    this.#scrubber = new Scrubber(policy);
    this.#before = { ...before };
    this.#speakers = { user: this.#speaker(before.user), assistant: this.#speaker(before.assistant) };
    this.add(waiting);
  }

  add(events: readonly CallEvent[]): void {
    for (const event of events) {
      const utterance =
        event.type === "call.message" ? this.#speakers[event.role].add(event.text) : undefined;
      this.#waiting.push({ event, utterance });
    }
  }

  /** Releases what need not wait, masked. */
  take(): CallEvent[] {
    const first = this.#waiting.findIndex(({ utterance }) => utterance?.isOpen);
    return this.#waiting
      .splice(0, first === -1 ? this.#waiting.length : first)
      .map((one) => this.#release(one));
  }

  /** Releases everything, since nobody continued. */
  takeAll(): CallEvent[] {
    return this.#waiting.splice(0).map((one) => this.#release(one));
  }

  /** Masked preview of held events. */
  preview(): CallEvent[] {
    return this.#waiting.map(({ event, utterance }) =>
      event.type === "call.message" && utterance ? { ...event, text: previewOf(utterance) } : event,
    );
  }

  /** Masks the part heard of an interrupted reply. */
  heard(text: string): string {
    return new SpeakerScrubber(this.#scrubber).partial(text);
  }

  get unsent(): ChatUnsent {
    return { before: this.#before, waiting: this.#waiting.map(({ event }) => event) };
  }

  #speaker(before: string): SpeakerScrubber {
    const speaker = new SpeakerScrubber(this.#scrubber);
    if (before !== "") release(speaker.add(before));
    return speaker;
  }

  #release({ event, utterance }: Waiting): CallEvent {
    if (event.type === "call.message" && utterance) {
      const text = release(utterance);
      const said = `${this.#before[event.role]} ${text}`.slice(-WINDOW_CHARS);
      this.#before[event.role] = said.slice(this.#scrubber.findOpen(said)?.start ?? said.length);
      return { ...event, text };
    }
    if (event.type !== "call.tool_invoked") return event;
    const { arguments: given, result } = event;
    return { ...event, arguments: this.#scrubber.json(given), result: this.#scrubber.json(result) };
  }
}

/** A chat's held events, unmasked: for its brain only. */
export function unsentOf(chat: Pick<StoredChat, "sessionId" | "unsent">, secrets: SecretBox): ChatUnsent {
  // If the key is gone from SECRETS_KEY, held events are lost; the chat must still be able to end.
  return opened(chat, secrets) ?? NOTHING;
}

/** The next `seq`. After a loss, numbers leave the counted range, so that nobody waits for what is missing. */
export function nextSeqOf(
  chat: Pick<StoredChat, "sessionId" | "unsent" | "nextSeq">,
  secrets: SecretBox,
): number {
  return opened(chat, secrets) ? chat.nextSeq : Math.max(chat.nextSeq, FIRST_UNCOUNTED_SEQ);
}

/** Returns undefined if it can no longer be opened. */
function opened(
  { sessionId, unsent }: Pick<StoredChat, "sessionId" | "unsent">,
  secrets: SecretBox,
): ChatUnsent | undefined {
  if (unsent === null) return NOTHING;
  try {
    return chatUnsentSchema.parse(JSON.parse(secrets.open(unsent, SEAL_CONTEXT.chatUnsent(sessionId))));
  } catch {
    return undefined;
  }
}

/** Redactor of a chat, by its organization's current policy. */
export async function chatRedactorOf(
  chat: Pick<StoredChat, "sessionId" | "orgId" | "unsent">,
  { db, secrets }: { readonly db: Trx; readonly secrets: SecretBox },
): Promise<ChatRedactor> {
  return new ChatRedactor(await selectPiiPolicy({ db }, chat.orgId), unsentOf(chat, secrets));
}

/** Columns of a chat's row for held events. */
export function unsentColumns(
  { unsent }: ChatRedactor,
  { sessionId, nowMs, secrets }: { sessionId: string; nowMs: number; secrets: SecretBox },
): { unsent: string | null; unsent_until: Date | null } {
  const isEmpty = unsent.waiting.length === 0;
  if (isEmpty && unsent.before.user === "" && unsent.before.assistant === "") {
    return { unsent: null, unsent_until: null };
  }
  return {
    unsent: secrets.seal(JSON.stringify(unsent), SEAL_CONTEXT.chatUnsent(sessionId)),
    unsent_until: isEmpty ? null : new Date(nowMs + HOLD_MS),
  };
}
