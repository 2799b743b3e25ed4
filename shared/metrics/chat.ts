import type { Registry } from "prom-client";
import { declaring, LATENCY_BUCKETS } from "./declare.ts";

/** Text chats. */
export function chatMetrics(registry: Registry) {
  const { histogram, counter, gauge } = declaring(registry);
  return {
    chatTurnsTotal: counter(
      "chat_turns_total",
      "Turns of text chats by outcome. Many of brain_failed: look at the customers' brains; of conflict: clients send a second message before they have the answer to the first.",
      ["outcome"],
    ),
    chatTurnSeconds: histogram(
      "chat_turn_seconds",
      "A chat's message received to its reply complete. High: look at the customers' brains.",
      LATENCY_BUCKETS,
    ),
    chatTurnsUnderWay: gauge(
      "chat_turns_under_way",
      "Replies of text chats being generated. Near 1,000 a process: turns are refused with 503; start more control APIs.",
    ),
  };
}
