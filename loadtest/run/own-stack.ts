import { availableParallelism } from "node:os";
import { CALL_EVENTS_STREAM, callEventSchema } from "@parley/shared/contracts/call-events.ts";
import { startStack } from "../stack/stack.ts";
import type { LoadOptions } from "./options.ts";
import type { EventCount, LoadTarget } from "./target.ts";

/** A call's record may take as long as storing its recording. */
const EVENTS_WITHIN_MS = 20_000;

/** Starts a stack for this load test: every session is known, so every event can be counted. */
export async function startOwnTarget(options: LoadOptions): Promise<LoadTarget> {
  const hasTwoCores = availableParallelism() > 1;
  const gatewayCpu = options["gateway-cpu"] ?? 0;
  const callersCpu = gatewayCpu === 0 ? 1 : 0;
  const stack = await startStack({
    ...(hasTwoCores ? { gatewayCpu, othersCpu: callersCpu } : {}),
    brain: brainOf(options),
  });
  const [gateway] = stack.gateways;
  if (!gateway) throw new Error("the stack has no gateway");
  const counts = new Map<string, { started: number; ended: number }>();
  const readSome = async (): Promise<void> => {
    const reader = {
      group: "loadtest",
      consumer: "loadtest",
      count: 1_000,
      blockMs: 500,
      claimAfterMs: 60_000,
    };
    const entries = await stack.bus.streams.read(CALL_EVENTS_STREAM, reader);
    for (const { payload } of entries) {
      const event = callEventSchema.parse(JSON.parse(payload));
      const count = counts.get(event.sessionId);
      if (event.type === "call.started" && count) count.started += 1;
      if (event.type === "call.ended" && count) count.ended += 1;
    }
    await stack.bus.streams.ack(
      CALL_EVENTS_STREAM,
      reader.group,
      entries.map(({ entryId }) => entryId),
    );
  };
  return {
    name: hasTwoCores ? `an own stack, its gateway alone on CPU ${gatewayCpu}` : "an own stack",
    gatewayUrl: gateway.httpUrl,
    callersCpu: hasTwoCores ? callersCpu : undefined,
    newCall: async () => {
      const { sessionId, websocketUrl } = await stack.seeder.create(gateway.wsUrl);
      counts.set(sessionId, { started: 0, ended: 0 });
      return websocketUrl;
    },
    countEvents: async () => {
      const untilMs = performance.now() + EVENTS_WITHIN_MS;
      while (performance.now() < untilMs && [...counts.values()].some(({ ended }) => ended === 0)) {
        await readSome();
      }
      return sumOf([...counts.values()]);
    },
    close: () => stack.close(),
  };
}

/** Settings of the brain as its environment. */
export function brainOf(options: LoadOptions): Record<string, string> {
  return {
    BRAIN_FIRST_TOKEN_MS: String(options["brain-first-token-ms"]),
    BRAIN_TOKEN_MS: String(options["brain-token-ms"]),
    BRAIN_WORDS: String(options["brain-words"]),
  };
}

function sumOf(counts: readonly { started: number; ended: number }[]): EventCount {
  return {
    started: counts.reduce((sum, { started }) => sum + started, 0),
    ended: counts.reduce((sum, { ended }) => sum + ended, 0),
    wrong: counts.filter(({ started, ended }) => started !== 1 || ended !== 1).length,
  };
}
