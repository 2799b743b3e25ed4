import type { RehearsalReport, ReportSummary } from "@parley/shared/contracts/rehearsals.ts";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { draftOf } from "./agent-draft.ts";
import { patchBetween } from "./patch-between.ts";
import { isRunning, ReportTable } from "./rehearsal-list.tsx";
import { askedOf, IN_TEXT, MannerChoice, type RehearsalManner } from "./rehearsal-manner.tsx";
import { RehearsalReportPart } from "./rehearsal-report.tsx";
import { agentPath, useEditor } from "./use-editor.tsx";

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
          {isHeld && <p role="status">The conversations are being held…</p>}
        </div>
      )}
      {problem && <Problem>{problem}</Problem>}
      {reportId && <ShownReport key={reportId} path={`${path}/${reportId}`} />}
      <ReportTable of={loaded} reports={loaded.data?.reports} onRead={show} />
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
