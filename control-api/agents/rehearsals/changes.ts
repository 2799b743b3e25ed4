import type { Rehearsal, RehearsalChange, RehearsalReport } from "@parley/shared/contracts/rehearsals.ts";

/**
 * Compares each rehearsal with its latest run before the agent changed; rehearsals that went the same are left out.
 * `earlier` are the reports of the agent before the change, newest first.
 */
export function changesSince(
  rehearsals: readonly Rehearsal[],
  earlier: readonly RehearsalReport[],
): RehearsalChange[] {
  return rehearsals.flatMap((now): RehearsalChange[] => {
    const report = earlier.find((one) => one.rehearsals.some(({ name }) => name === now.name));
    const was = report?.rehearsals.find(({ name }) => name === now.name);
    if (!report || !was) return [{ ...bare(now), kind: "new", because: missedBy(now) }];
    const { reportId, agentVersion, ofDraft } = report;
    const before = { reportId, agentVersion, ofDraft, slowestMs: was.slowestMs };
    const change = { ...bare(now), before, ...parting(was, now), because: becauseOf(was, now) };
    if (was.passed !== now.passed) return [{ ...change, kind: now.passed ? "fixed" : "broke" }];
    return change.said || change.node ? [{ ...change, kind: "other" }] : [];
  });
}

function bare({ name, slowestMs }: Rehearsal) {
  return { name, slowestMs, before: null, said: null, node: null };
}

/** Why a rehearsal failed, for its owner; null if it passed. */
export function missedBy({ error, criteria }: Rehearsal): string | null {
  return error ?? criteria.find(({ passed }) => !passed)?.because ?? null;
}

function becauseOf(was: Rehearsal, now: Rehearsal): string | null {
  if (!now.passed) return missedBy(now);
  const missed = was.criteria.findIndex(({ passed }) => !passed);
  return now.criteria[missed]?.because ?? null;
}

function parting(was: Rehearsal, now: Rehearsal): Pick<RehearsalChange, "said" | "node"> {
  const lines = ({ transcript }: Rehearsal) =>
    transcript.filter(({ role }) => role === "assistant").map(({ text }) => text);
  return { said: firstOther(lines(was), lines(now)), node: firstOther(was.path, now.path) };
}

function firstOther(before: readonly string[], now: readonly string[]): RehearsalChange["said"] {
  const at = Array.from({ length: Math.max(before.length, now.length) }, (_, i) => i).find(
    (i) => before[i] !== now[i],
  );
  return at === undefined ? null : { before: before[at] ?? null, now: now[at] ?? null };
}
