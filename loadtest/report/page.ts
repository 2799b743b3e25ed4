import type { Provenance } from "../bench/harness/result.ts";
import type { LoadResult } from "../run/hold-calls.ts";
import { missedTargets } from "../run/targets.ts";
import type { Histogram } from "./histogram.ts";
import { distributionChart, escapeXml } from "./picture.ts";
import { summaryRows } from "./summary.ts";

const CSS = `
  :root { color-scheme: light dark; --text: #24292f; --faint: #57606a; --line: #d0d7de; --page: #fff; --good: #1a7f37; --bad: #cf222e }
  @media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --faint: #9198a1; --line: #3d444d; --page: #0d1117; --good: #3fb950; --bad: #f85149 } }
  body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 1.5rem; margin-bottom: .25rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
  table { border-collapse: collapse; width: 100% } td { padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top }
  td:first-child { color: var(--faint); white-space: nowrap } figure { margin: 0; overflow-x: auto } svg { width: 100%; min-width: 30rem; height: auto }
  .good { color: var(--good) } .bad { color: var(--bad) } .faint, footer { color: var(--faint) } footer { margin: 2rem 0; font-size: .85rem }
  @media (max-width: 480px) { td { display: block; padding-right: 0 } td + td { border: 0; padding-top: 0 } }`;

/** A self-contained page: a load test's figures and charts of their distributions. */
export function pageOf(result: LoadResult, made: Provenance): string {
  const missed = missedTargets(result);
  const { times } = result.tally;
  const verdict =
    missed.length === 0
      ? '<p class="good">Every target holds.</p>'
      : `<p class="bad">${missed.map(escapeXml).join("; ")}.</p>`;
  const rows = summaryRows(result).map(
    ([name, value]) => `<tr><td>${escapeXml(name.trim())}</td><td>${escapeXml(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley under ${result.calls} calls</title>
<style>${CSS}</style>
<h1>Parley under ${result.calls} calls</h1>
<p class="faint">${escapeXml(result.target)}, ${result.seconds.toFixed(0)} s</p>
${verdict}
<table>${rows.join("\n")}</table>
${picture("How late agent frames came", times.lateness)}
${picture("Caller stopped to first agent audio", times.response)}
${picture("Voice begun to clear", times.bargeIn)}
${picture("Socket opened to ready", times.setup)}
<footer>${escapeXml(made.takenAt)} · ${escapeXml(made.commit)} · ${escapeXml(made.machine.cpu)}, ${made.machine.cores} cores ·
Node ${escapeXml(made.versions.node)} · uWebSockets.js ${escapeXml(made.versions.uWebSockets)}</footer>
</html>
`;
}

function picture(title: string, times: Histogram): string {
  const marks = [
    { label: "p50", ms: times.quantile(0.5) },
    { label: "p99", ms: times.quantile(0.99) },
  ];
  const chart = distributionChart(title, { buckets: times.buckets(), marks });
  return `<h2>${escapeXml(title)}</h2>\n<figure>${chart}</figure>`;
}
