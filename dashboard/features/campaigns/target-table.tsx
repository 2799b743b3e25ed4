import type { Campaign, Target } from "@parley/shared/contracts/campaigns.ts";
import { Link } from "@tanstack/react-router";
import { ChoiceField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { OUTCOME_NAMES, targetsCsv, targetText } from "./campaign-labels.ts";
import { allTargets, TARGETS_SHOWN, useOrgCall } from "./use-campaigns.ts";

interface TargetTableProps {
  readonly campaign: Campaign;
  readonly targets: readonly Target[];
  /** Filter for targets, as the API takes it. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** A campaign's targets and their outcomes. */
export function TargetTable({ campaign, targets, filter, onFilter }: TargetTableProps) {
  const { get } = useOrgCall();
  const download = useSubmit(async () => {
    const csv = targetsCsv(await allTargets(get, campaign.id));
    save(`${campaign.name}.csv`, csv);
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
            <option value="&state=calling">Being called</option>
            {Object.entries(OUTCOME_NAMES).map(([outcome, name]) => (
              <option key={outcome} value={`&state=done&outcome=${outcome}`}>
                {name}
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
        <TableHead columns={["Number", "Where", "What", "Calls", "Not before", "Call"]} />
        <tbody>
          {targets.map((target) => (
            <TargetRow key={target.id} target={target} />
          ))}
        </tbody>
      </table>
      {targets.length === 0 && <p className="pf-muted">Nobody.</p>}
      {targets.length === TARGETS_SHOWN && (
        <p className="pf-muted">The first {TARGETS_SHOWN}; the export has all.</p>
      )}
    </TablePanel>
  );
}

function TargetRow({ target }: { readonly target: Target }) {
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

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
