import type {
  KnowledgeBase,
  KnowledgeCrawl,
  KnowledgeDocument,
  KnowledgeMeaning,
  KnowledgePassage,
} from "@parley/shared/contracts/knowledge.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** Documents shown at once; a button loads older ones. */
const DOCUMENTS_SHOWN = 200;
/** Polling interval while anything is being read. */
const READING_MS = 1_500;

/** API path of an organization's knowledge bases. */
export function knowledgePath(orgId: string): string {
  return `/api/orgs/${orgId}/knowledge-bases`;
}

export interface Bases {
  readonly knowledgeBases: readonly KnowledgeBase[];
  readonly meaning: KnowledgeMeaning;
}

export function useKnowledgeBases(): Data<Bases> {
  const session = useSession();
  const { org } = useHere();
  const path = knowledgePath(org.id);
  return useData(path, () => session.call<Bases>(path, { method: "GET", orgId: org.id }), { isList: true });
}

export interface BaseWithDocuments {
  readonly base: KnowledgeBase;
  readonly documents: readonly KnowledgeDocument[];
  readonly crawls: readonly KnowledgeCrawl[];
}

/** A base with its documents and sites, polled while anything is being read. */
export function useKnowledgeBase(id: string): Data<BaseWithDocuments> {
  const session = useSession();
  const { org } = useHere();
  const path = `${knowledgePath(org.id)}/${id}`;
  const get = <T>(from: string): Promise<T> => session.call<T>(from, { method: "GET", orgId: org.id });
  return useData(
    `${path} with documents`,
    async () => {
      const [base, { documents }, { crawls }] = await Promise.all([
        get<KnowledgeBase>(path),
        get<{ documents: readonly KnowledgeDocument[] }>(`${path}/documents?limit=${DOCUMENTS_SHOWN}`),
        get<{ crawls: readonly KnowledgeCrawl[] }>(`${path}/crawls`),
      ]);
      return { base, documents, crawls };
    },
    { everyMs: (known) => (isBeingRead(known) ? READING_MS : undefined) },
  );
}

/** Searches a base as an agent would. */
export function useKnowledgeSearch(id: string): (query: string) => Promise<readonly KnowledgePassage[]> {
  const session = useSession();
  const { org } = useHere();
  return async (query) => {
    const path = `${knowledgePath(org.id)}/${id}/search?${new URLSearchParams({ query })}`;
    const found = await session.call<{ passages: readonly KnowledgePassage[] }>(path, {
      method: "GET",
      orgId: org.id,
    });
    return found.passages;
  };
}

function isBeingRead({ documents, crawls }: BaseWithDocuments): boolean {
  return (
    crawls.some(({ state }) => state === "reading") ||
    documents.some(({ state }) => state === "queued" || state === "reading")
  );
}
