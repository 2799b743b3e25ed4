/** What was read of a document: Markdown, and a title where it has one. */
export interface ReadDocument {
  readonly title: string | undefined;
  readonly markdown: string;
  /** Where a page leads, as it is written there; those that it wants followed. */
  readonly links?: readonly string[];
}

/** A document that cannot be read, however often it is tried. The message says what to do about it. */
export class UnreadableDocument extends Error {
  override readonly name: string = "UnreadableDocument";
}

/** A page that is not there, or not to be read any more: nothing of it is to be found. */
export class GonePage extends UnreadableDocument {
  override readonly name = "GonePage";
}
