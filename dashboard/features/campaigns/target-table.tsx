import type { Campaign, Target } from "@parley/shared/contracts/campaigns.ts";
import { Link } from "@tanstack/react-router";
import { ChoiceField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { OUTCOME_NAMES, targetsCsv, targetText, writtenText } from "./campaign-labels.ts";
import { allTargets, TARGETS_SHOWN, useOrgCall } from "./use-campaigns.ts";

interface TargetTableProps {
  readonly campaign: Pick<Campaign, "name" | "targets">;
  /** The campaign's address under the organization's, such as `/campaigns/cmp_1`. */
  readonly path: string;
  readonly kind: "calls" | "messages";
  readonly targets: readonly Target[];
  /** Filter for targets, as the API takes it. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** A campaign's targets and their outcomes. */
export function TargetTable({ campaign, path, kind, targets, filter, onFilter }: TargetTableProps) {
  const { get } = useOrgCall();
  const download = useSubmit(async () => {
    const csv = targetsCsv(await allTargets(get, path), kind);
    saveFile(new Blob([csv], { type: "text/csv" }), `${campaign.name}.csv`);
  });
  if (campaign.targets.total === 0) return null;
  return (
    <TablePanel labelledBy="people-title">
      <div className="row row-spread">
        <h2 id="people-title">People</h2>
        <div className="row campaign-filter">
          <ChoiceField
            label="Show"
            name="filter"
            value={filter}
            onChange={(event) => onFilter(event.currentTarget.value)}
          >
            <option value="">All</option>
            <option value="&state=waiting">Waiting</option>
            <option value="&state=calling">{BUSY[kind]}</option>
            {OUTCOMES_OF[kind].map((outcome) => (
              <option key={outcome} value={`&state=done&outcome=${outcome}`}>
                {OUTCOME_NAMES[outcome]}
              </option>
            ))}
          </ChoiceField>
          <button
            type="button"
            className="pf-btn"
            aria-disabled={download.isBusy}
            onClick={() => void download.run()}
          >
            {download.isBusy ? "Exporting …" : "Export CSV"}
          </button>
        </div>
      </div>
      {download.problem && <Problem>{download.problem}</Problem>}
      <table className="pf-table">
        <TableHead columns={COLUMNS[kind]} />
        <tbody>
          {targets.map((target) =>
            kind === "calls" ? (
              <CalledRow key={target.id} target={target} />
            ) : (
              <WrittenRow key={target.id} target={target} />
            ),
          )}
        </tbody>
      </table>
      {targets.length === 0 && <p className="pf-muted">Nobody.</p>}
      {targets.length === TARGETS_SHOWN && (
        <p className="pf-muted">The first {TARGETS_SHOWN}; the export has all.</p>
      )}
    </TablePanel>
  );
}

const COLUMNS = {
  calls: ["Number", "Where", "What", "Calls", "Not before", "Call"],
  messages: ["Number", "Where", "What", "Why", "Conversation"],
} as const;
const BUSY = { calls: "Being called", messages: "Being sent" } as const;
const OUTCOMES_OF = {
  calls: ["answered", "voicemail", "no_answer", "busy", "failed", "do_not_call", "removed"],
  messages: ["sent", "failed", "do_not_call", "removed"],
} as const;

function CalledRow({ target }: { readonly target: Target }) {
  return (
    <tr>
      <td>{target.phone}</td>
      <td>{target.zone}</td>
      <td>{targetText(target)}</td>
      <td>{target.attempts}</td>
      <td>{target.state === "waiting" && target.attempts > 0 ? <Time at={target.dueAt} /> : "–"}</td>
      <td>
        {target.sessionId === null ? (
          "–"
        ) : (
          <Link to="/calls/$id" params={{ id: target.sessionId }}>
            Open<span className="only-heard"> the call to {target.phone}</span>
          </Link>
        )}
      </td>
    </tr>
  );
}

/** Somebody who gets a message instead of a call. */
function WrittenRow({ target }: { readonly target: Target }) {
  return (
    <tr>
      <td>{target.phone}</td>
      <td>{target.zone}</td>
      <td>{writtenText(target)}</td>
      <td>{target.error ?? "–"}</td>
      <td>
        {target.threadId === null ? (
          "–"
        ) : (
          <Link to="/inbox" search={{ thread: target.threadId }}>
            Open<span className="only-heard"> the conversation with {target.phone}</span>
          </Link>
        )}
      </td>
    </tr>
  );
}
