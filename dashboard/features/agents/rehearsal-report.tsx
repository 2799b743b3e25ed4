import type { Rehearsal, RehearsalChange, RehearsalReport } from "@parley/shared/contracts/rehearsals.ts";
import type { SpokenFigures } from "@parley/shared/contracts/spoken-rehearsals.ts";
import { Link } from "@tanstack/react-router";
import { lineText } from "../calls/call-labels.ts";
import { SectionPart } from "./section-part.tsx";

const CHANGE_NAMES = {
  broke: "Failed, and passed before",
  fixed: "Passed, and failed before",
  other: "Went another way",
  new: "Held for the first time",
} as const satisfies Record<RehearsalChange["kind"], string>;

/** The result of rehearsals: what changed, and each conversation. */
export function RehearsalReportPart({ report }: { readonly report: RehearsalReport }) {
  const { passed, total, tookMs, changes, rehearsals, state, error } = report;
  if (state === "running") {
    return (
      <SectionPart title="Report" lead="The calls are being held, in real time.">
        <p role="status">
          {rehearsals.length} of {total} held, {passed} passed…
        </p>
        <Conversations all={rehearsals} />
      </SectionPart>
    );
  }
  const lead = `${passed} of ${total} passed, in ${(tookMs / 1_000).toFixed(1)} s`;
  return (
    <SectionPart title="Report" lead={lead}>
      {error !== null && <p className="agent-fault">{error}</p>}
      <h3>What changed</h3>
      {changes.length === 0 && <p>All went as the last time that the agent was another.</p>}
      <ul>
        {changes.map((change) => (
          <li key={change.name}>
            <Changed change={change} />
          </li>
        ))}
      </ul>
      <h3>Conversations</h3>
      <Conversations all={rehearsals} />
    </SectionPart>
  );
}

function Conversations({ all }: { readonly all: readonly Rehearsal[] }) {
  return all.map((one) => <Conversation key={one.name} one={one} />);
}

function Changed({ change }: { readonly change: RehearsalChange }) {
  const { name, kind, before, because, said, node, slowestMs } = change;
  return (
    <>
      <strong>{name}</strong>: {CHANGE_NAMES[kind]}.{because && ` ${because}`}
      {said && (
        <p className="pf-muted">
          It said “{said.before ?? "nothing more"}”, and says “{said.now ?? "nothing more"}”.
        </p>
      )}
      {node && (
        <p className="pf-muted">
          It came to {node.before ?? "no further node"}, and comes to {node.now ?? "no further node"}.
        </p>
      )}
      {before && (
        <p className="pf-muted">
          Slowest answer: {before.slowestMs} ms before (version {before.agentVersion}), {slowestMs} ms now.
        </p>
      )}
    </>
  );
}

function Conversation({ one }: { readonly one: Rehearsal }) {
  return (
    <details>
      <summary>
        {one.passed ? "Passed" : "Failed"}: {one.name} ({one.turns} turns, slowest answer {one.slowestMs} ms)
      </summary>
      {one.error !== null && <p className="agent-fault">{one.error}</p>}
      <ul>
        {one.criteria.map(({ criterion, passed, because }) => (
          <li key={JSON.stringify(criterion)} className={passed ? undefined : "agent-fault"}>
            {passed ? "Met: " : "Not met: "}
            {because}
          </li>
        ))}
      </ul>
      {one.speech && <Figures of={one.speech} />}
      <ol>
        {one.transcript.map(({ role, text, turn, said }) => (
          <li key={`${turn} ${role} ${text}`}>
            <strong>{role === "user" ? "Caller" : "Agent"}:</strong>{" "}
            {lineText({ role, text }) || "(not understood)"}
            {said !== undefined && <span className="pf-muted"> The caller said “{said}”.</span>}
          </li>
        ))}
      </ol>
      <p>
        <Link to="/calls/$id" params={{ id: one.sessionId }}>
          {one.speech ? "Listen to it in its record" : "Its record"}
        </Link>
      </p>
    </details>
  );
}

/** What the caller got to hear, in words. */
function Figures({ of }: { readonly of: SpokenFigures }) {
  const { responseMs, interruptions, talkedOver, words, noise } = of;
  return (
    <ul className="pf-muted">
      {responseMs && (
        <li>
          Answers came after {responseMs.p50} ms, the slowest of twenty after {responseMs.p95} ms.
        </li>
      )}
      <li>
        {words.wrong === 0
          ? "Every word was understood"
          : `${words.wrong} of ${words.said} words were misheard`}
        {noise ? ", with noise around the caller." : "."}
      </li>
      {interruptions.made > 0 && (
        <li>
          The agent stopped at {interruptions.heeded} of {interruptions.made} interruptions
          {interruptions.slowestMs !== null && `, after ${interruptions.slowestMs} ms at the latest`}.
        </li>
      )}
      {talkedOver > 0 && <li>It began to speak {talkedOver} times before the caller had finished.</li>}
    </ul>
  );
}
