import type { Criterion } from "@parley/shared/contracts/rehearsals.ts";
import { type Held, type Judged, judge } from "./criteria.ts";
import { judgeByModel } from "./model-judge.ts";
import type { CallerDeps } from "./rehearsed-caller.ts";

/** Judges a conversation by all of its scenario's criteria, in their order. */
export function judgeAll(
  criteria: readonly Criterion[],
  held: Held,
  deps: CallerDeps,
): Promise<readonly Judged[]> {
  return Promise.all(
    criteria.map((criterion) =>
      criterion.kind === "judged" ? judgeByModel(criterion, held.transcript, deps) : judge(criterion, held),
    ),
  );
}
