/** A mail or an SMS, as it is handed to whoever carries it. */
export type Message =
  | { readonly channel: "email"; readonly to: string; readonly subject: string; readonly text: string }
  | { readonly channel: "phone"; readonly to: string; readonly text: string };

/** Carries messages of one channel. Rejects when it could not. */
export interface Carrier {
  send(message: Message): Promise<void>;
}
