import type { AgentVersion } from "@parley/shared/contracts/agents.ts";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { changesBetween } from "./agent-diff.ts";
import { shownOf } from "./agent-draft.ts";
import { ChangeList } from "./change-list.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { SectionPart } from "./section-part.tsx";
import { agentPath, useEditor } from "./use-editor.tsx";
import { useMemberNames } from "./use-member-names.ts";

/** Versions per page; one extra is loaded to compare with. */
const SHOWN = 50;

/** The agent's history: versions that calls ran with, what changed when, and restoring. */
export function VersionsSection() {
  const { agent, mayChange } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const path = `${agentPath(agent.id)}/versions?limit=${SHOWN + 1}`;
  // A new version of the agent makes another list.
  const loaded = useData(`${path}#${agent.version}`, () =>
    session.call<{ versions: AgentVersion[]; total: number }>(path, { method: "GET", orgId: org.id }),
  );
  const { data } = loaded;
  const [restored, restore] = useState<AgentVersion>();
  const versions = data?.versions ?? [];
  return (
    <>
      <p>
        Every saved change creates a version. A call keeps the version it started with.{" "}
        <Link to="/calls" search={{ agentId: agent.id }}>
          View calls
        </Link>
      </p>
      {versions.length === 0 && <Loaded of={loaded}>{() => null}</Loaded>}
      {versions.length > 0 && (
        <>
          <VersionTable versions={versions} of={loaded} onRestore={mayChange ? restore : undefined} />
          {versions.length > 1 && <ComparePart versions={versions} />}
        </>
      )}
      {data && data.total > SHOWN && (
        <p className="pf-muted">
          The newest {SHOWN} of {data.total} are shown; the API has all of them.
        </p>
      )}
      {restored && <RestoreDialog version={restored} onClose={() => restore(undefined)} />}
    </>
  );
}

interface VersionTableProps {
  readonly versions: readonly AgentVersion[];
  readonly of: Omit<Data<unknown>, "data">;
  readonly onRestore: ((version: AgentVersion) => void) | undefined;
}

function VersionTable({ versions, of, onRestore }: VersionTableProps) {
  const { agent } = useEditor();
  const nameOf = useMemberNames();
  const columns: readonly Column<AgentVersion>[] = [
    {
      id: "version",
      name: "Version",
      sorts: true,
      text: ({ version }) => version,
      cell: ({ version }) => (
        <>
          {version} {version === agent.version && <span className="pf-badge">Current</span>}
        </>
      ),
    },
    {
      id: "created",
      name: "Created",
      text: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <ExactTime at={createdAt} />,
    },
    {
      id: "by",
      name: "By",
      sorts: true,
      look: "name",
      text: ({ createdBy }) => nameOf(createdBy),
      cell: ({ createdBy }) => nameOf(createdBy),
    },
    {
      id: "what",
      name: "What changed",
      look: "long",
      text: (version) => changedText(versions, version),
      cell: (version) => changedText(versions, version),
    },
  ];
  return (
    <DataTable
      name="agent-versions"
      label="Versions"
      columns={columns}
      rows={versions.slice(0, SHOWN)}
      of={of}
      rowId={({ version }) => String(version)}
      readAll="rows"
      empty={null}
      {...(onRestore && {
        actions: (version: AgentVersion) =>
          version.version !== agent.version && (
            <button type="button" className="pf-btn" onClick={() => onRestore(version)}>
              Restore<span className="only-heard"> version {version.version}</span>
            </button>
          ),
      })}
    />
  );
}

const MOST_NAMED = 3;

/** What a version changed of the one before it, which is the next in the list. */
function changedText(versions: readonly AgentVersion[], after: AgentVersion): string {
  const before = versions[versions.indexOf(after) + 1];
  if (!before) return after.version === 1 ? "Created" : "";
  const labels = [
    ...new Set(
      changesBetween(shownOf(before), shownOf(after)).map(({ labels }) => labels.slice(-2).join(" › ")),
    ),
  ];
  const more = labels.length - MOST_NAMED;
  return labels.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function ComparePart({ versions }: { readonly versions: readonly AgentVersion[] }) {
  const [chosen, choose] = useState<{ before?: number; after?: number }>({});
  const after = versions.find(({ version }) => version === chosen.after) ?? versions[0];
  const before = versions.find(({ version }) => version === chosen.before) ?? versions[1];
  if (!before || !after) return null;
  return (
    <SectionPart title="Compare">
      <div className="row">
        <VersionChoice
          label="From version"
          versions={versions}
          chosen={before.version}
          onChoose={(version) => choose({ ...chosen, before: version })}
        />
        <VersionChoice
          label="to version"
          versions={versions}
          chosen={after.version}
          onChoose={(version) => choose({ ...chosen, after: version })}
        />
      </div>
      <ChangeList
        changes={changesBetween(shownOf(before), shownOf(after))}
        before={`Version ${before.version}`}
        after={`Version ${after.version}`}
      />
    </SectionPart>
  );
}

interface VersionChoiceProps {
  readonly label: string;
  readonly versions: readonly AgentVersion[];
  readonly chosen: number;
  readonly onChoose: (version: number) => void;
}

function VersionChoice({ label, versions, chosen, onChoose }: VersionChoiceProps) {
  const id = useId();
  return (
    <div className="row agent-version-choice">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="pf-select"
        value={chosen}
        onChange={(event) => onChoose(Number(event.target.value))}
      >
        {versions.map(({ version }) => (
          <option key={version}>{version}</option>
        ))}
      </select>
    </div>
  );
}
