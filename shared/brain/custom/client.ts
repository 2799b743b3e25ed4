import type { CustomBrainPlan } from "../../contracts/brain-plan.ts";
import { BrainError, isRefusedForGood } from "../brain-error.ts";
import { BrainBreaker } from "../breaker.ts";
import { exchange, type Reading } from "../exchange.ts";
import { type BrainPart, parseEvent } from "../parts.ts";
import type { BrainClient, BrainDeps, BrainQuestion } from "../port.ts";
import { buildPost } from "./request.ts";

type Question = BrainQuestion<CustomBrainPlan>;

/** Brains that are endpoints of the customers' own. */
export function createCustomBrains(deps: BrainDeps): BrainClient<CustomBrainPlan> {
  const breaker = new BrainBreaker(deps.clock);
  const namedUnknown = new WeakMap<CustomBrainPlan, Set<string>>();
  const onUnknown = (question: Question, name: string): void => {
    deps.metrics.brainUnknownEventsTotal.inc();
    const named = namedUnknown.get(question.plan) ?? new Set();
    namedUnknown.set(question.plan, named);
    if (named.has(name)) return;
    named.add(name);
    deps.log.warn(
      { event: "brain_event_unknown", sessionId: question.request.sessionId, unknown: name },
      "the brain sent an unknown control event",
    );
  };
  return {
    ask: (question) => {
      const post = buildPost(question.plan, question.request, question.traceparent);
      let unreadable: string | undefined;
      const read = (data: string): Reading<BrainPart> => {
        const event = parseEvent(data);
        if (event.type === "unknown") {
          unreadable ??= event.name;
          onUnknown(question, event.name);
        }
        if (event.type === "token" || event.type === "control") return { type: "part", part: event };
        return event.type === "done" ? event : { type: "nothing" };
      };
      const { orgId, plan } = question;
      const dispatcher = deps.dispatchers.of(orgId);
      const breakerKey = { orgId, endpoint: plan.url };
      const parts = exchange({ post, dispatcher, breakerKey, read, refusal }, question, { ...deps, breaker });
      return orUnreadable(parts, () => {
        if (unreadable === undefined || question.signal.aborted) return undefined;
        deps.metrics.brainErrorsTotal.inc({ cause: "unreadable" });
        return notReadable(unreadable);
      });
    },
  };
}

/** A brain may be silent, but not when it spoke a format that nobody here reads. */
async function* orUnreadable(
  parts: AsyncIterable<BrainPart>,
  problem: () => BrainError | undefined,
): AsyncIterable<BrainPart> {
  let hasPart = false;
  for await (const part of parts) {
    hasPart = true;
    yield part;
  }
  const error = hasPart ? undefined : problem();
  if (error !== undefined) throw error;
}

function notReadable(event: string): BrainError {
  return new BrainError(
    "unreadable",
    `The brain's answer has only events that are not known here, first "${event}"; tokens or control events are expected.`,
    { isFinal: true },
  );
}

async function refusal(status: number, body: { destroy(): void }): Promise<BrainError> {
  body.destroy();
  return new BrainError("status", `The brain answered ${status}; 200 with text/event-stream is expected.`, {
    isFinal: isRefusedForGood(status),
  });
}
