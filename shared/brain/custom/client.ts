import type { CustomBrainPlan } from "../../contracts/brain-plan.ts";
import { BrainError } from "../brain-error.ts";
import { BrainBreaker } from "../breaker.ts";
import { exchange, type Reading } from "../exchange.ts";
import { type BrainPart, parseEvent } from "../parts.ts";
import type { BrainClient, BrainDeps, BrainQuestion } from "../port.ts";
import { buildPost } from "./request.ts";

type Question = BrainQuestion<CustomBrainPlan>;

/** Brains that are endpoints of the customers' own (spec 1, "Custom brain protocol"). */
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
      { sessionId: question.request.sessionId, event: name },
      "the brain sent an unknown control event",
    );
  };
  return {
    ask: (question) => {
      const post = buildPost(question.plan, question.request, question.traceparent);
      const read = (data: string): Reading<BrainPart> => {
        const event = parseEvent(data);
        if (event.type === "unknown") onUnknown(question, event.name);
        if (event.type === "token" || event.type === "control") return { type: "part", part: event };
        return event.type === "done" ? event : { type: "nothing" };
      };
      const { dispatcher } = deps;
      return exchange({ post, dispatcher, breakerKey: post.url.host, read, refusal }, question, {
        ...deps,
        breaker,
      });
    },
  };
}

async function refusal(status: number, body: { destroy(): void }): Promise<BrainError> {
  body.destroy();
  return new BrainError("status", `The brain answered ${status}; 200 with text/event-stream is expected.`);
}
