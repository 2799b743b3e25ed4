import type { KnowledgeBase, KnowledgeCrawl, KnowledgeDocument } from "@parley/shared/contracts/knowledge.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { DocumentList } from "./document-list.tsx";
import { baseText } from "./knowledge-labels.ts";
import { SiteList } from "./site-list.tsx";
import { TryIt } from "./try-it.tsx";
import { type BaseWithDocuments, knowledgePath, useKnowledgeBase } from "./use-knowledge.ts";

const DeleteBaseDialog = later(async () => (await import("./base-dialogs.tsx")).DeleteBaseDialog);
const EditBaseDialog = later(async () => (await import("./base-dialogs.tsx")).EditBaseDialog);
const AddPageDialog = later(async () => (await import("./document-dialogs.tsx")).AddPageDialog);
const AddTextDialog = later(async () => (await import("./document-dialogs.tsx")).AddTextDialog);
const DeleteDocumentDialog = later(async () => (await import("./document-dialogs.tsx")).DeleteDocumentDialog);
const UploadFilesDialog = later(async () => (await import("./document-dialogs.tsx")).UploadFilesDialog);
const AddSiteDialog = later(async () => (await import("./site-dialogs.tsx")).AddSiteDialog);
const DeleteSiteDialog = later(async () => (await import("./site-dialogs.tsx")).DeleteSiteDialog);

type Open =
  | { readonly at: "none" | "upload" | "page" | "site" | "text" | "edit" | "delete" }
  | { readonly at: "delete-site"; readonly crawl: KnowledgeCrawl }
  | { readonly at: "delete-document"; readonly document: KnowledgeDocument };

/** One knowledge base: its documents, and what an agent would find in them. */
export function KnowledgeBasePage() {
  const { id } = useParams({ from: "/organization/knowledge/$id" });
  const loaded = useKnowledgeBase(id);
  return (
    <>
      <Link to="/knowledge" className="back-link">
        <Icon name="back" /> Knowledge
      </Link>
      {loaded.data ? (
        <KnownBase key={id} {...loaded.data} reload={loaded.reload} />
      ) : (
        <AppPage title="Knowledge base">{null}</AppPage>
      )}
      <Loaded of={loaded}>{() => null}</Loaded>
    </>
  );
}

function KnownBase({
  base,
  documents,
  crawls,
  reload,
}: BaseWithDocuments & { readonly reload: () => Promise<void> }) {
  const session = useSession();
  const { org } = useHere();
  const [open, setOpen] = useState<Open>({ at: "none" });
  const [said, say] = useState<string>();
  const mayChange = isAtLeast(org.role, "developer");
  const path = `${knowledgePath(org.id)}/${base.id}`;
  const show = (next: Open): void => {
    say(undefined);
    setOpen(next);
  };
  const onDone = async (done: string): Promise<void> => {
    say(done);
    await reload();
  };
  const refresh = async (document: KnowledgeDocument): Promise<void> => {
    await session.call(`${path}/documents/${document.id}/refresh`, { orgId: org.id });
    await onDone(`${document.name} is being read again.`);
  };
  const refreshSite = async (crawl: KnowledgeCrawl): Promise<void> => {
    await session.call(`${path}/crawls/${crawl.id}/refresh`, { orgId: org.id });
    await onDone(`${crawl.url} is being read again.`);
  };
  const actions = mayChange
    ? {
        onRefresh: refresh,
        onDelete: (document: KnowledgeDocument) => show({ at: "delete-document", document }),
      }
    : undefined;
  const sites = mayChange
    ? { onRefresh: refreshSite, onDelete: (crawl: KnowledgeCrawl) => show({ at: "delete-site", crawl }) }
    : undefined;
  return (
    <AppPage title={base.name}>
      <div className="row row-spread">
        <div className="pf-muted">
          <p>{baseText(base)}</p>
          <p className="row">
            <code>{base.id}</code> <CopyButton label={`id of ${base.name}`} text={base.id} />
          </p>
        </div>
        {mayChange && (
          <div className="row">
            <button type="button" className="pf-btn" onClick={() => show({ at: "edit" })}>
              Rename
            </button>
            <button type="button" className="pf-btn" onClick={() => show({ at: "delete" })}>
              Delete
            </button>
          </div>
        )}
      </div>
      {base.description !== "" && <p>{base.description}</p>}
      {said && <Success>{said}</Success>}
      <TryIt base={base} />
      <section className="pf-card panel" aria-labelledby="documents">
        <div className="row row-spread">
          <h2 id="documents">Documents</h2>
          {mayChange && <AddButtons onOpen={show} />}
        </div>
        {documents.length + crawls.length === 0 && (
          <p>No documents yet. Add files, web pages, sites or text.</p>
        )}
        <DocumentList
          name="Documents"
          documents={documents.filter(({ crawlId }) => crawlId === null)}
          actions={actions}
        />
        <SiteList {...{ crawls, documents, sites, actions }} />
      </section>
      <OpenDialog {...{ open, base, path, onDone }} onClose={() => setOpen({ at: "none" })} />
    </AppPage>
  );
}

function AddButtons({ onOpen }: { readonly onOpen: (open: Open) => void }) {
  return (
    <div className="row">
      <button type="button" className="pf-btn pf-btn-primary" onClick={() => onOpen({ at: "upload" })}>
        Upload files
      </button>
      <button type="button" className="pf-btn" onClick={() => onOpen({ at: "page" })}>
        Add web page
      </button>
      <button type="button" className="pf-btn" onClick={() => onOpen({ at: "site" })}>
        Add site
      </button>
      <button type="button" className="pf-btn" onClick={() => onOpen({ at: "text" })}>
        Add text
      </button>
    </div>
  );
}

interface OpenDialogProps {
  readonly open: Open;
  readonly base: KnowledgeBase;
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

function OpenDialog({ open, base, path, onClose, onDone }: OpenDialogProps) {
  const navigate = useNavigate();
  const props = { path: `${path}/documents`, onClose, onDone };
  const ofSites = { path: `${path}/crawls`, onClose, onDone };
  switch (open.at) {
    case "none":
      return null;
    case "upload":
      return <UploadFilesDialog {...props} />;
    case "page":
      return <AddPageDialog {...props} />;
    case "site":
      return <AddSiteDialog {...ofSites} />;
    case "delete-site":
      return <DeleteSiteDialog {...ofSites} crawl={open.crawl} />;
    case "text":
      return <AddTextDialog {...props} />;
    case "edit":
      return <EditBaseDialog {...{ base, onClose, onDone }} />;
    case "delete":
      return <DeleteBaseDialog {...{ base, onClose }} onDone={() => navigate({ to: "/knowledge" })} />;
    case "delete-document":
      return <DeleteDocumentDialog {...props} document={open.document} />;
    default:
      return open satisfies never;
  }
}
