/** What Parley reports of rehearsals (`POST /api/agents/{id}/simulations`), as far as it is told here. */
export interface Report {
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
  readonly transcript: readonly { readonly role: string; readonly text: string }[];
  readonly slowestMs: number;
  readonly error: string | null;
  readonly criteria: readonly { readonly passed: boolean; readonly because: string }[];
}

/** A file of scenarios, and what came of it. */
export interface FileReport {
  readonly file: string;
  readonly report: Report;
}

/** Why one failed: each in a sentence. */
export function reasonsOf({ error, criteria }: Rehearsal): readonly string[] {
  const missed = criteria.filter(({ passed }) => !passed).map(({ because }) => because);
  return error === null ? missed : [error, ...missed];
}

/** The report in the XML that CI servers read. */
export function junitOf(reports: readonly FileReport[]): string {
  const suites = reports.map(({ file, report }) => {
    const cases = report.rehearsals.map((one) => testCase(file, one)).join("");
    const { total, passed, tookMs } = report;
    const attributes = `name="${xml(file)}" tests="${total}" failures="${total - passed}" time="${tookMs / 1_000}"`;
    return `  <testsuite ${attributes}>\n${cases}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function testCase(file: string, one: Rehearsal): string {
  const said = one.transcript.map(({ role, text }) => `${role === "user" ? "Caller" : "Agent"}: ${text}`);
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

/** Text in XML; what XML cannot hold at all is left out. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"]/g, (char) => NAMED[char] ?? char);
}
