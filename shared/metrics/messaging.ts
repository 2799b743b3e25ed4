import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** Channels for written messages. */
export function messagingMetrics(registry: Registry) {
  const { counter } = declaring(registry);
  return {
    messagingEventsTotal: counter(
      "messaging_events_total",
      "What providers of channels told, by kind and outcome. Much of known is usual: they deliver again. Of unknown_sender: a number of the app is not connected.",
      ["kind", "outcome"],
    ),
    messagingSentTotal: counter(
      "messaging_sent_total",
      "Tries to send a message over a channel, by what became of them. Many of queued: the provider's rate limits; of failed or unknown: look at the messages' errors in the inbox.",
      ["outcome"],
    ),
  };
}
