import type { RehearsalReport, ReportSummary } from "@parley/shared/contracts/rehearsals.ts";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { draftOf } from "./agent-draft.ts";
import { patchBetween } from "./patch-between.ts";
import { RehearsalReportPart } from "./rehearsal-report.tsx";
import { agentPath, useEditor } from "./use-editor.tsx";
import { useMemberNames } from "./use-member-names.ts";

/** Reports that are listed. */
const SHOWN = 20;

/** Holds the agent's rehearsals, with what is not saved yet, and shows what came of them. */
export function RehearsalsSection() {
  const { agent, draft, isChanged, faults, mayChange } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const path = `${agentPath(agent.id)}/simulations`;
  const loaded = useData(`${path}#${org.id}`, () =>
    session.call<{ reports: ReportSummary[] }>(`${path}?limit=${SHOWN}`, { method: "GET", orgId: org.id }),
  );
  const [isHeld, setHeld] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [shown, show] = useState<RehearsalReport>();
  const rehearse = async (): Promise<void> => {
    setHeld(true);
    setProblem(undefined);
    try {
      const body = isChanged ? { draft: patchBetween(draftOf(agent), draft) } : {};
      show(await session.call<RehearsalReport>(path, { method: "POST", orgId: org.id, body }));
      await loaded.reload();
    } catch (error) {
      setProblem(reasonOf(error));
    } finally {
      setHeld(false);
    }
  };
  const read = async (reportId: string): Promise<void> => {
    const found = session.call<RehearsalReport>(`${path}/${reportId}`, { method: "GET", orgId: org.id });
    await found.then(show, (error: unknown) => setProblem(reasonOf(error)));
  };
  return (
    <>
      {mayChange && (
        <div className="row">
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            disabled={isHeld || Object.keys(faults).length > 0}
            onClick={() => void rehearse()}
          >
            {isChanged ? "Rehearse my changes" : "Rehearse"}
          </button>
          {isHeld && <p role="status">The conversations are being held …</p>}
        </div>
      )}
      {problem && <Problem>{problem}</Problem>}
      {shown && <RehearsalReportPart report={shown} />}
      <Loaded of={loaded}>
        {({ reports }) => <ReportTable reports={reports} onRead={(reportId) => void read(reportId)} />}
      </Loaded>
    </>
  );
}

interface ReportTableProps {
  readonly reports: readonly ReportSummary[];
  readonly onRead: (reportId: string) => void;
}

function ReportTable({ reports, onRead }: ReportTableProps) {
  const nameOf = useMemberNames();
  if (reports.length === 0) return <p>Nothing was rehearsed yet.</p>;
  return (
    <TablePanel label="Reports">
      <table className="pf-table">
        <TableHead columns={["Held", "By", "Agent", "Passed"]} withActions />
        <tbody>
          {reports.map((report) => (
            <tr key={report.reportId}>
              <th scope="row">
                <ExactTime at={report.createdAt} />
              </th>
              <td>{nameOf({ kind: "user", id: report.createdBy })}</td>
              <td>{agentText(report)}</td>
              <td>
                {report.passed} of {report.total}
              </td>
              <td>
                <button type="button" className="pf-btn" onClick={() => onRead(report.reportId)}>
                  Read<span className="only-heard"> the report of {agentText(report)}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}

function agentText({ agentVersion, ofDraft }: ReportSummary): string {
  return ofDraft ? `a change of version ${agentVersion}` : `version ${agentVersion}`;
}
