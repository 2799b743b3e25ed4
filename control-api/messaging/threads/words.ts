/** A message as text, for an agent. */
export interface Written {
  readonly type: string;
  readonly body: string | null;
  readonly filename?: string | null;
  /** What the message replies to. */
  readonly about?: string | undefined;
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
  share: "a post",
  reel: "a reel",
  story_mention: "a story that mentions this account",
};
/** Types whose text is used as is. */
const PLAIN: ReadonlySet<string> = new Set(["text", "button", "interactive", "edit", "postback"]);
/** Types that comment on a message or the account, and need no answer. */
const UNANSWERED: ReadonlySet<string> = new Set(["reaction", "system", "revoke", "edit", "unsupported"]);

/** False for types that nobody expects an answer to. */
export function asksForAnswer(type: string): boolean {
  return !UNANSWERED.has(type);
}

/** Describes a message in words: `[The contact sent an image: our garden]`. */
export function wordsOf({ about, ...written }: Written): string {
  return about === undefined ? plainWordsOf(written) : `[${about}] ${plainWordsOf(written)}`;
}

function plainWordsOf({ type, body, filename }: Written): string {
  if (PLAIN.has(type) && body !== null && body.trim() !== "") return body;
  const what =
    (Object.hasOwn(NAMES, type) ? NAMES[type] : undefined) ?? "a message that cannot be shown as text";
  const more = [filename, body].filter((part) => part !== null && part !== undefined && part.trim() !== "");
  return `[The contact sent ${what}${more.length > 0 ? `: ${more.join(", ")}` : ""}]`;
}
