import type { CallRecord } from "../callers/call-record.ts";

/** A call's events, one per line; times are in ms from the end of the previous question's words. */
export function traceOf(record: CallRecord): string {
  const lines = record.questions.flatMap((asked, i) => {
    const zeroMs = asked.wordsEndedAtMs ?? asked.startedAtMs;
    const untilMs = record.questions[i + 1]?.startedAtMs ?? Number.POSITIVE_INFINITY;
    const isWithin = ({ atMs }: { atMs: number }): boolean => atMs >= asked.startedAtMs && atMs < untilMs;
    const happened = [
      ...record.requests
        .filter(isWithin)
        .map(({ atMs, query }) => ({ atMs, what: `brain asked “${query}”` })),
      ...record.heard.filter(isWithin).map(({ atMs, clause }) => ({ atMs, what: `heard “${clause}”` })),
      ...record.happened.filter(isWithin),
    ];
    const told = happened
      .sort((a, b) => a.atMs - b.atMs)
      .map(({ atMs, what }) => `    ${String(Math.round(atMs - zeroMs)).padStart(6)}  ${what}`);
    return [`  ${asked.number}. ${asked.utterance.text}`, ...told];
  });
  return [record.id, ...lines].join("\n");
}
