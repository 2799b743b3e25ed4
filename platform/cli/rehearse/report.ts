/** The part of Parley's rehearsal report (`POST /api/agents/{id}/simulations`) that the CLI shows. */
export interface Report {
  readonly reportId: string;
  readonly state: "running" | "done" | "failed";
  /** Why not all were held. */
  readonly error: string | null;
  readonly agentVersion: number;
  readonly passed: number;
  readonly total: number;
  readonly tookMs: number;
  readonly rehearsals: readonly Rehearsal[];
}

export interface Rehearsal {
  readonly name: string;
  readonly passed: boolean;
  readonly sessionId: string;
  readonly endReason: string;
  readonly turns: number;
  readonly transcript: readonly { readonly role: string; readonly text: string; readonly said?: string }[];
  readonly slowestMs: number;
  readonly error: string | null;
  /** Only of one in speech. */
  readonly speech?: {
    readonly responseMs: { readonly p50: number; readonly p95: number } | null;
    readonly interruptions: { readonly made: number; readonly heeded: number };
    readonly talkedOver: number;
    readonly words: { readonly said: number; readonly wrong: number };
  };
  readonly criteria: readonly { readonly passed: boolean; readonly because: string }[];
}

/** A file of scenarios and its report. */
export interface FileReport {
  readonly file: string;
  readonly report: Report;
}

/** Why a rehearsal failed, one sentence per reason. */
export function reasonsOf({ error, criteria }: Rehearsal): readonly string[] {
  const missed = criteria.filter(({ passed }) => !passed).map(({ because }) => because);
  return error === null ? missed : [error, ...missed];
}

/** Renders the report as the XML that CI servers read. */
export function junitOf(reports: readonly FileReport[]): string {
  const suites = reports.map(({ file, report }) => {
    const { rehearsals, error, tookMs } = report;
    // What was not held has no case of its own, and must not be taken for passed.
    const rest = error === null ? [] : [unheldCase(file, error)];
    const cases = [...rehearsals.map((one) => testCase(file, one)), ...rest];
    const failures = rehearsals.filter(({ passed }) => !passed).length + rest.length;
    const attributes = `name="${xml(file)}" tests="${cases.length}" failures="${failures}" time="${tookMs / 1_000}"`;
    return `  <testsuite ${attributes}>\n${cases.join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

/** What was measured in speech, in a line. */
export function figuresOf({ speech }: Rehearsal): string | undefined {
  if (!speech) return undefined;
  const { responseMs, interruptions, talkedOver, words } = speech;
  return [
    responseMs ? `answers after ${responseMs.p50} ms (p95 ${responseMs.p95} ms)` : "no answers",
    `${words.wrong} of ${words.said} words misheard`,
    ...(interruptions.made > 0
      ? [`stopped at ${interruptions.heeded} of ${interruptions.made} interruptions`]
      : []),
    ...(talkedOver > 0 ? [`talked over the caller ${talkedOver} times`] : []),
  ].join(", ");
}

function unheldCase(file: string, error: string): string {
  return `    <testcase classname="${xml(file)}" name="all conversations are held">
      <failure message="${xml(error)}">${xml(error)}</failure>
    </testcase>
`;
}

function testCase(file: string, one: Rehearsal): string {
  const lines = one.transcript.map(
    ({ role, text, said }) =>
      `${role === "user" ? "Caller" : "Agent"}: ${text}${said === undefined ? "" : ` (said: ${said})`}`,
  );
  const said = [...lines, ...(one.speech ? [`Measured: ${figuresOf(one)}`] : [])];
  const [first = "failed", ...others] = reasonsOf(one);
  const failure = one.passed
    ? ""
    : `      <failure message="${xml(first)}">${xml([first, ...others].join("\n"))}</failure>\n`;
  return `    <testcase classname="${xml(file)}" name="${xml(one.name)}" time="${one.slowestMs / 1_000}">
${failure}      <system-out>${xml(said.join("\n"))}</system-out>
    </testcase>
`;
}

const NAMED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes text for XML; drops characters XML cannot hold. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"]/g, (char) => NAMED[char] ?? char);
}
