import type { ReportSummary } from "@parley/shared/contracts/rehearsals.ts";
import type { Data } from "../../api/use-data.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { useMemberNames } from "./use-member-names.ts";

interface ReportTableProps {
  readonly of: Omit<Data<unknown>, "data">;
  /** Undefined until loaded. */
  readonly reports: readonly ReportSummary[] | undefined;
  readonly onRead: (reportId: string) => void;
}

/** Earlier rehearsals, newest first; one is opened to be read. */
export function ReportTable({ of, reports, onRead }: ReportTableProps) {
  const nameOf = useMemberNames();
  const byText = ({ createdBy }: ReportSummary): string => nameOf({ kind: "user", id: createdBy });
  const columns: readonly Column<ReportSummary>[] = [
    {
      id: "held",
      name: "Held",
      sorts: true,
      text: ({ createdAt }) => createdAt,
      cell: (report) => (
        <button type="button" className="link-button" onClick={() => onRead(report.reportId)}>
          <ExactTime at={report.createdAt} />
          <span className="only-heard">: read the report of {agentText(report)}</span>
        </button>
      ),
    },
    { id: "by", name: "By", sorts: true, look: "name", text: byText, cell: byText },
    { id: "agent", name: "Agent", sorts: true, text: agentText, cell: agentText },
    { id: "how", name: "How", sorts: true, text: howText, cell: howText },
    { id: "passed", name: "Passed", text: passedText, cell: passedText },
  ];
  return (
    <DataTable
      name="rehearsals"
      label="Reports"
      columns={columns}
      rows={reports}
      of={of}
      rowId={({ reportId }) => reportId}
      readAll="rows"
      empty={<p>No rehearsals yet. Run this agent’s test conversations to see what a change broke.</p>}
    />
  );
}

/** Whether its conversations are still being held. */
export function isRunning({ state }: ReportSummary): boolean {
  return state === "running";
}

function howText({ mode }: ReportSummary): string {
  return mode === "speech" ? "In speech" : "In text";
}

function passedText(report: ReportSummary): string {
  return `${report.passed} of ${report.total}${isRunning(report) ? " so far" : ""}`;
}

function agentText({ agentVersion, ofDraft }: ReportSummary): string {
  return ofDraft ? `a change of version ${agentVersion}` : `version ${agentVersion}`;
}
