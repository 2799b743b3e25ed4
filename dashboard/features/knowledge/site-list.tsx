import type { KnowledgeCrawl, KnowledgeDocument } from "@parley/shared/contracts/knowledge.ts";
import { Problem } from "../../ui/messages.tsx";
import { Time } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { type DocumentActions, DocumentList } from "./document-list.tsx";
import { crawlBoundsText, crawlText } from "./knowledge-labels.ts";

interface SiteActions {
  readonly onRefresh: (crawl: KnowledgeCrawl) => Promise<void>;
  readonly onDelete: (crawl: KnowledgeCrawl) => void;
}

interface SiteListProps {
  readonly crawls: readonly KnowledgeCrawl[];
  /** All of the base; each site's documents appear below it. */
  readonly documents: readonly KnowledgeDocument[];
  /** Undefined for people who may only read. */
  readonly sites: SiteActions | undefined;
  readonly actions: DocumentActions | undefined;
}

/** A base's sites, each with its progress and pages. */
export function SiteList({ crawls, documents, sites, actions }: SiteListProps) {
  if (crawls.length === 0) return null;
  return (
    <ul className="document-list" aria-label="Sites">
      {crawls.map((crawl) => (
        <li key={crawl.id} className="document-row">
          <Site crawl={crawl} actions={sites} />
          <Pages pages={documents.filter(({ crawlId }) => crawlId === crawl.id)} actions={actions} />
        </li>
      ))}
    </ul>
  );
}

function Site({
  crawl,
  actions,
}: {
  readonly crawl: KnowledgeCrawl;
  readonly actions: SiteActions | undefined;
}) {
  const { url, state, pages, readAt } = crawl;
  const refresh = useSubmit(async () => actions?.onRefresh(crawl));
  const done = pages.ready + pages.failed;
  return (
    <>
      <div className="document-what">
        <h3>{url}</h3>
        <p className="pf-muted">
          Site, {crawlBoundsText(crawl)}
          {readAt && (
            <>
              {" "}
              · read <Time at={readAt} />
            </>
          )}
        </p>
        <p className={state === "failed" ? "document-failed" : "pf-muted"}>{crawlText(crawl)}</p>
        {state === "reading" && (
          <progress className="site-progress" aria-label={url} value={done} max={done + pages.waiting} />
        )}
        {refresh.problem && <Problem>{refresh.problem}</Problem>}
      </div>
      {actions && (
        <div className="row">
          <form onSubmit={refresh.onSubmit}>
            <button type="submit" className="pf-btn" aria-disabled={refresh.isBusy}>
              Read again<span className="only-heard">: {url}</span>
            </button>
          </form>
          <button type="button" className="pf-btn" onClick={() => actions.onDelete(crawl)}>
            Delete<span className="only-heard"> {url}</span>
          </button>
        </div>
      )}
    </>
  );
}

function Pages({
  pages,
  actions,
}: {
  readonly pages: readonly KnowledgeDocument[];
  readonly actions: DocumentActions | undefined;
}) {
  if (pages.length === 0) return null;
  return (
    <details className="site-pages">
      <summary>Pages</summary>
      <DocumentList name="Pages" documents={pages} actions={actions} />
    </details>
  );
}
