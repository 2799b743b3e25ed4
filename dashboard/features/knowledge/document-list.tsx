import type { KnowledgeDocument } from "@parley/shared/contracts/knowledge.ts";
import { Problem } from "../../ui/messages.tsx";
import { Time } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { sourceText, stateText } from "./knowledge-labels.ts";

export interface DocumentActions {
  readonly onRefresh: (document: KnowledgeDocument) => Promise<void>;
  readonly onDelete: (document: KnowledgeDocument) => void;
}

interface DocumentListProps {
  readonly documents: readonly KnowledgeDocument[];
  /** Name of the list. */
  readonly name: string;
  /** Undefined for people who may only read. */
  readonly actions: DocumentActions | undefined;
}

/** Documents, newest first, each with its state. */
export function DocumentList({ documents, name, actions }: DocumentListProps) {
  return (
    <ul className="document-list" aria-label={name}>
      {documents.map((document) => (
        <DocumentRow key={document.id} document={document} actions={actions} />
      ))}
    </ul>
  );
}

function DocumentRow({
  document,
  actions,
}: {
  readonly document: KnowledgeDocument;
  readonly actions: DocumentActions | undefined;
}) {
  const { name, state, source, readAt } = document;
  const refresh = useSubmit(async () => actions?.onRefresh(document));
  return (
    <li className="document-row">
      <div className="document-what">
        <h3>{name}</h3>
        <p className="pf-muted">
          {sourceText(document)}
          {readAt && (
            <>
              {" "}
              · read <Time at={readAt} />
            </>
          )}
        </p>
        <p className={state === "failed" ? "document-failed" : "pf-muted"}>{stateText(document)}</p>
        {refresh.problem && <Problem>{refresh.problem}</Problem>}
      </div>
      {actions && (
        <div className="row">
          {source === "url" && (
            <form onSubmit={refresh.onSubmit}>
              <button type="submit" className="pf-btn" aria-disabled={refresh.isBusy}>
                Read again<span className="only-heard">: {name}</span>
              </button>
            </form>
          )}
          {document.crawlId === null && (
            <button type="button" className="pf-btn" onClick={() => actions.onDelete(document)}>
              Delete<span className="only-heard"> {name}</span>
            </button>
          )}
        </div>
      )}
    </li>
  );
}
