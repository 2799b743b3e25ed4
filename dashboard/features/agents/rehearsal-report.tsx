import type { Rehearsal, RehearsalChange, RehearsalReport } from "@parley/shared/contracts/rehearsals.ts";
import { Link } from "@tanstack/react-router";
import { SectionPart } from "./section-part.tsx";

const CHANGE_NAMES = {
  broke: "Failed, and passed before",
  fixed: "Passed, and failed before",
  other: "Went another way",
  new: "Held for the first time",
} as const satisfies Record<RehearsalChange["kind"], string>;

/** What came of rehearsals: what changed, and each conversation. */
export function RehearsalReportPart({ report }: { readonly report: RehearsalReport }) {
  const { passed, total, tookMs, changes, rehearsals } = report;
  const lead = `${passed} of ${total} passed, in ${(tookMs / 1_000).toFixed(1)} s`;
  return (
    <SectionPart title="Report" lead={lead}>
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
      {rehearsals.map((one) => (
        <Conversation key={one.name} one={one} />
      ))}
    </SectionPart>
  );
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
      <ol>
        {one.transcript.map(({ role, text, turn }) => (
          <li key={`${turn} ${role} ${text}`}>
            <strong>{role === "user" ? "Caller" : "Agent"}:</strong> {text}
          </li>
        ))}
      </ol>
      <p>
        <Link to="/calls/$id" params={{ id: one.sessionId }}>
          Its record
        </Link>
      </p>
    </details>
  );
}
