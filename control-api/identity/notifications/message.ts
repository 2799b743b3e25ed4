/** A mail or an SMS, as handed to its carrier. */
export type Message =
  | { readonly channel: "email"; readonly to: string; readonly subject: string; readonly text: string }
  | { readonly channel: "phone"; readonly to: string; readonly text: string };

/** Delivers the messages of one channel. Rejects on failure. */
export interface Carrier {
  send(message: Message): Promise<void>;
}
