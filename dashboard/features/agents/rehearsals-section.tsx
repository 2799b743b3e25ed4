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
import { askedOf, IN_TEXT, MannerChoice, type RehearsalManner } from "./rehearsal-manner.tsx";
import { RehearsalReportPart } from "./rehearsal-report.tsx";
import { agentPath, useEditor } from "./use-editor.tsx";
import { useMemberNames } from "./use-member-names.ts";

/** How many reports are listed. */
const SHOWN = 20;
/** How often a report that is being held is read. */
const LOOK_EVERY_MS = 1_500;

/** Runs the agent's rehearsals, unsaved changes included, and shows the results. */
export function RehearsalsSection() {
  const { agent, draft, isChanged, faults, mayChange } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const path = `${agentPath(agent.id)}/simulations`;
  const loaded = useData(
    `${path}#${org.id}`,
    () =>
      session.call<{ reports: ReportSummary[] }>(`${path}?limit=${SHOWN}`, { method: "GET", orgId: org.id }),
    { everyMs: ({ reports }) => (reports.some(isRunning) ? LOOK_EVERY_MS : undefined) },
  );
  const [isHeld, setHeld] = useState(false);
  const [how, setHow] = useState<RehearsalManner>(IN_TEXT);
  const [problem, setProblem] = useState<string>();
  const [reportId, show] = useState<string>();
  const rehearse = async (): Promise<void> => {
    setHeld(true);
    setProblem(undefined);
    try {
      const changes = isChanged ? { draft: patchBetween(draftOf(agent), draft) } : {};
      const body = { ...changes, ...askedOf(how) };
      show((await session.call<RehearsalReport>(path, { method: "POST", orgId: org.id, body })).reportId);
      await loaded.reload();
    } catch (error) {
      setProblem(reasonOf(error));
    } finally {
      setHeld(false);
    }
  };
  return (
    <>
      {mayChange && (
        <div className="row">
          <MannerChoice how={how} onChange={setHow} />
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
      {reportId && <ShownReport key={reportId} path={`${path}/${reportId}`} />}
      <Loaded of={loaded}>{({ reports }) => <ReportTable reports={reports} onRead={show} />}</Loaded>
    </>
  );
}

/** A report, as it grows. */
function ShownReport({ path }: { readonly path: string }) {
  const session = useSession();
  const { org } = useHere();
  const loaded = useData(
    `${path}#${org.id}`,
    () => session.call<RehearsalReport>(path, { method: "GET", orgId: org.id }),
    { everyMs: (report) => (isRunning(report) ? LOOK_EVERY_MS : undefined) },
  );
  return <Loaded of={loaded}>{(report) => <RehearsalReportPart report={report} />}</Loaded>;
}

function isRunning({ state }: ReportSummary): boolean {
  return state === "running";
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
        <TableHead columns={["Held", "By", "Agent", "How", "Passed"]} withActions />
        <tbody>
          {reports.map((report) => (
            <tr key={report.reportId}>
              <th scope="row">
                <ExactTime at={report.createdAt} />
              </th>
              <td>{nameOf({ kind: "user", id: report.createdBy })}</td>
              <td>{agentText(report)}</td>
              <td>{report.mode === "speech" ? "In speech" : "In text"}</td>
              <td>
                {report.passed} of {report.total}
                {isRunning(report) && " so far"}
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
