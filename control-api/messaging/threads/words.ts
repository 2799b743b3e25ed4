/** What a message is to an agent, whose conversation is text. */
export interface Written {
  readonly type: string;
  readonly body: string | null;
  readonly filename?: string | null;
}

const NAMES: Readonly<Record<string, string>> = {
  image: "an image",
  video: "a video",
  audio: "a voice message",
  document: "a document",
  sticker: "a sticker",
  location: "a location",
  contacts: "contacts",
  order: "an order",
};
/** These are words as they are. */
const PLAIN: ReadonlySet<string> = new Set(["text", "button", "interactive", "edit"]);
/** They say something of a message or of the account, and ask for no answer. */
const UNANSWERED: ReadonlySet<string> = new Set(["reaction", "system", "revoke", "edit", "unsupported"]);

/** False for what nobody expects an answer to. */
export function asksForAnswer(type: string): boolean {
  return !UNANSWERED.has(type);
}

/** A message in words: `[The contact sent an image: our garden]`. */
export function wordsOf({ type, body, filename }: Written): string {
  if (PLAIN.has(type) && body !== null && body.trim() !== "") return body;
  const what = NAMES[type] ?? "a message that cannot be shown as text";
  const more = [filename, body].filter((part) => part !== null && part !== undefined && part.trim() !== "");
  return `[The contact sent ${what}${more.length > 0 ? `: ${more.join(", ")}` : ""}]`;
}
