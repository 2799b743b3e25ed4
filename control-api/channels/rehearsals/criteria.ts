import type { Criterion, Rehearsal } from "@parley/shared/contracts/rehearsals.ts";
import { saysWords } from "@parley/shared/flows/answers/words.ts";

export type Held = Pick<Rehearsal, "transcript" | "path" | "tools" | "endReason" | "turns">;
export type Judged = Rehearsal["criteria"][number];

const MAX_QUOTE_CHARS = 300;

/** Ends caused by the caller, or by nobody. */
const NOT_THE_AGENTS: ReadonlySet<string> = new Set([
  ...["hangup", "max_turns", "brain_failed", "call_failed"],
  ...["connection_lost", "internal_error", "node_lost", "max_duration"],
]);

/** Judges a criterion without a model, and quotes the sentence that proves it. */
export function judge(criterion: Exclude<Criterion, { kind: "judged" }>, held: Held): Judged {
  const [passed, because] = verdict(criterion, held);
  return { criterion, passed, because };
}

function verdict(
  criterion: Exclude<Criterion, { kind: "judged" }>,
  held: Held,
): readonly [passed: boolean, because: string] {
  const { path, tools, endReason, turns } = held;
  switch (criterion.kind) {
    case "says": {
      const said = saidBy(held, criterion.text);
      if (said !== undefined) return [true, `The agent said: "${said}"`];
      return [false, `The agent never said "${criterion.text}"; its last words were: "${lastWords(held)}"`];
    }
    case "never_says": {
      const said = saidBy(held, criterion.text);
      if (said === undefined) return [true, `The agent never said "${criterion.text}".`];
      return [false, `The agent said: "${said}"`];
    }
    case "reaches":
      if (path.includes(criterion.node)) return [true, `The flow came to "${criterion.node}".`];
      return [
        false,
        `The flow never came to "${criterion.node}"; it ended at "${path.at(-1) ?? "no node"}" with: "${lastWords(held)}"`,
      ];
    case "calls_tool": {
      const run = tools.find(({ name }) => name === criterion.tool);
      if (run) return [true, `The tool "${run.name}" ran: ${run.status}.`];
      return [false, `The tool "${criterion.tool}" never ran; the last words were: "${lastWords(held)}"`];
    }
    case "ends":
      if (!NOT_THE_AGENTS.has(endReason)) return [true, `The agent ended it: ${endReason}.`];
      return [false, `The agent did not end it (${endReason}); its last words were: "${lastWords(held)}"`];
    case "within_turns":
      return [turns <= criterion.turns, `It took ${turns} of at most ${criterion.turns} turns.`];
    default:
      return criterion satisfies never;
  }
}

function saidBy({ transcript }: Held, text: string): string | undefined {
  const said = transcript.find((one) => one.role === "assistant" && saysWords(one.text, text));
  return said && quoted(said.text);
}

function lastWords({ transcript }: Held): string {
  return quoted(transcript.findLast(({ role }) => role === "assistant")?.text ?? "nothing");
}

/** Shortens a quote: the transcript has the full text. */
function quoted(text: string): string {
  const chars = [...text];
  return chars.length <= MAX_QUOTE_CHARS ? text : `${chars.slice(0, MAX_QUOTE_CHARS).join("")} …`;
}
