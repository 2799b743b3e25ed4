import type { BrainRequest } from "../../contracts/brain.ts";
import type { CustomBrainPlan } from "../../contracts/brain-plan.ts";
import { signBody } from "../../security/signatures.ts";
import type { TurnPost } from "../exchange.ts";

/** Builds the POST of a turn. */
export function buildPost(plan: CustomBrainPlan, request: BrainRequest, traceparent?: string): TurnPost {
  const url = new URL(plan.url);
  url.searchParams.set("calling", "true");
  url.searchParams.set("stream", "true");
  const body = Buffer.from(JSON.stringify({ ...plan.payload, ...remembered(plan), ...request }));
  const signature = plan.secret === undefined ? {} : { "x-service-signature": signBody(plan.secret, body) };
  return {
    url,
    body,
    headers: {
      accept: "text/event-stream",
      // A compressing proxy would hold tokens back until its buffer fills.
      "accept-encoding": "identity",
      "content-type": "application/json",
      "cache-control": "no-cache",
      "x-service-session": request.sessionId,
      "x-service-turn": String(request.turn),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...signature,
    },
  };
}

function remembered({ memory = [] }: CustomBrainPlan): Pick<BrainRequest, "memory"> {
  return memory.length === 0 ? {} : { memory };
}
