/** The content of a document: Markdown, and a title if it has one. */
export interface ReadDocument {
  readonly title: string | undefined;
  readonly markdown: string;
  /** A page's links as written, without nofollow ones. */
  readonly links?: readonly string[];
}

/** A document that no retry can read. The message says what to do about it. */
export class UnreadableDocument extends Error {
  override readonly name: string = "UnreadableDocument";
}

/** A page that is gone, or may no longer be read: searches must not find it. */
export class GonePage extends UnreadableDocument {
  override readonly name = "GonePage";
}
