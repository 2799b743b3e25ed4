import type { BrainTestPart, BrainTestResult } from "@parley/shared/contracts/agents.ts";

/** A running or finished test. */
export interface BrainTestRun {
  readonly query: string;
  readonly version: number;
  readonly parts: readonly BrainTestPart[];
  readonly result?: BrainTestResult;
}

/** Streams the parts of a brain's test; the result comes last. */
export async function* brainTestParts(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<BrainTestPart | BrainTestResult> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let open = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (open + value).split("\n\n");
      open = events.pop() ?? "";
      for (const event of events) {
        if (event.startsWith("data: ")) yield JSON.parse(event.slice("data: ".length));
      }
    }
  } finally {
    // Stopping reading also stops the brain.
    await reader.cancel().catch(() => undefined);
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  connect: "Look at the address: its host, its port, and whether Parley’s server can reach it.",
  blocked:
    "Give an address that can be reached from the internet, or let your operator open this one with ALLOW_PRIVATE_TARGETS.",
  status: "Look into the log of the brain for this request; for a model, at its name, address and key.",
  content_type: "Answer with content-type text/event-stream and one “data:” line per token.",
  first_token_timeout: "Send the first words sooner, or allow more time under Brain, “First-token timeout”.",
  idle_timeout: "Send on without pauses, end with data: [DONE], or allow longer pauses under Brain.",
  reset: "The connection closed before the answer was complete: end it with data: [DONE].",
  too_large: "Answer in fewer words: callers must listen to all of it.",
  time_limit: "End the answer with data: [DONE]; a caller would have waited as long.",
};

/** What to change after this kind of failure. */
export function brainAdvice(failure: string): string {
  return ADVICE[failure] ?? "Try again; when it stays so, look into the log of the brain.";
}
