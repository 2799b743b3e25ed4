import type { KnowledgeBase } from "@parley/shared/contracts/knowledge.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { LANGUAGE_NAMES, meaningText } from "./knowledge-labels.ts";
import { useKnowledgeBases } from "./use-knowledge.ts";

const NewBaseDialog = later(async () => (await import("./base-dialogs.tsx")).NewBaseDialog);

/** The organization's knowledge bases. */
export function KnowledgePage() {
  const { org } = useHere();
  const loaded = useKnowledgeBases();
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const mayChange = isAtLeast(org.role, "developer");
  return (
    <AppPage title="Knowledge">
      <div className="row row-spread">
        <p className="pf-muted">Documents that agents answer from, in calls and chats.</p>
        {mayChange ? (
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => setNew(true)}>
            Create knowledge base
          </button>
        ) : (
          <p>Owners, admins and developers add documents. Your role here is {org.role}.</p>
        )}
      </div>
      <DataTable
        name="knowledge"
        label="Knowledge bases"
        columns={BASE_COLUMNS}
        rows={loaded.data?.knowledgeBases}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={
          <p>
            No knowledge bases yet. Create one, add your handbook or help pages, then give it to an agent as a
            tool.
          </p>
        }
      />
      {loaded.data && loaded.data.knowledgeBases.length > 0 && (
        <p className="pf-muted">{meaningText(loaded.data.meaning)}</p>
      )}
      {isNew && (
        <NewBaseDialog
          onClose={() => setNew(false)}
          onMade={({ id }) => void navigate({ to: "/knowledge/$id", params: { id } })}
        />
      )}
    </AppPage>
  );
}

const BASE_COLUMNS: readonly Column<KnowledgeBase>[] = [
  {
    id: "name",
    name: "Name",
    sorts: true,
    look: "long",
    text: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/knowledge/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    id: "description",
    name: "Description",
    look: "long",
    text: ({ description }) => description,
    cell: ({ description }) => description || "–",
  },
  {
    id: "language",
    name: "Language",
    sorts: true,
    text: ({ language }) => LANGUAGE_NAMES[language],
    cell: ({ language }) => LANGUAGE_NAMES[language],
  },
  {
    id: "documents",
    name: "Documents",
    sorts: true,
    look: "number",
    text: ({ documents }) => documents,
    cell: ({ documents }) => documents.toLocaleString("en-US"),
  },
  {
    id: "parts",
    name: "Passages",
    sorts: true,
    look: "number",
    text: ({ parts }) => parts,
    cell: ({ parts }) => parts.toLocaleString("en-US"),
  },
];
