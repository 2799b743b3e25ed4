import type { Campaign, Target } from "@parley/shared/contracts/campaigns.ts";
import { Download } from "lucide-react";
import type { Data } from "../../api/use-data.ts";
import { ChoiceField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { OUTCOME_NAMES, targetsCsv } from "./campaign-labels.ts";
import { TARGET_COLUMNS } from "./target-columns.tsx";
import { allTargets, TARGETS_SHOWN, useOrgCall } from "./use-campaigns.ts";

const BUSY = { calls: "Being called", messages: "Being sent" } as const;
const OUTCOMES_OF = {
  calls: ["answered", "voicemail", "no_answer", "busy", "failed", "do_not_call", "removed"],
  messages: ["sent", "failed", "do_not_call", "removed"],
} as const;

interface TargetTableProps {
  readonly campaign: Pick<Campaign, "name" | "targets">;
  /** The campaign's address under the organization's, such as `/campaigns/cmp_1`. */
  readonly path: string;
  readonly kind: "calls" | "messages";
  readonly targets: readonly Target[];
  readonly of: Omit<Data<unknown>, "data">;
  /** Filter for targets, as the API takes it. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** A campaign's targets and their outcomes. */
export function TargetTable({ campaign, path, kind, targets, of, filter, onFilter }: TargetTableProps) {
  if (campaign.targets.total === 0) return null;
  const isCut = targets.length === TARGETS_SHOWN;
  return (
    <ListSection title="People" {...(isCut && { lead: `The first ${TARGETS_SHOWN}; the export has all.` })}>
      <DataTable
        name={`campaign-${kind}`}
        label="List of people"
        columns={TARGET_COLUMNS[kind]}
        rows={targets}
        // The page says what could not be loaded.
        of={{ ...of, problem: undefined }}
        rowId={({ id }) => id}
        filters={
          <div className="campaign-filter">
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
          </div>
        }
        toolbar={<ExportTargets campaign={campaign} path={path} kind={kind} />}
        empty={<p>No people match.</p>}
      />
    </ListSection>
  );
}

/** Saves all people in the form in which they are imported, with their variables, which the table does not show. */
function ExportTargets({ campaign, path, kind }: Pick<TargetTableProps, "campaign" | "path" | "kind">) {
  const { get } = useOrgCall();
  const download = useSubmit(async () => {
    const csv = targetsCsv(await allTargets(get, path), kind);
    saveFile(new Blob([csv], { type: "text/csv" }), `${campaign.name}.csv`);
  });
  return (
    <>
      {download.problem && <Problem>{download.problem}</Problem>}
      <button
        type="button"
        className="pf-btn"
        aria-disabled={download.isBusy}
        onClick={() => void download.run()}
      >
        <Download aria-hidden="true" className="button-mark" />
        {download.isBusy ? "Exporting…" : "Export CSV"}
      </button>
    </>
  );
}
