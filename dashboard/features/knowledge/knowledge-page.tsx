import type { KnowledgeBase } from "@parley/shared/contracts/knowledge.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { baseText, meaningText } from "./knowledge-labels.ts";
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
            New knowledge base
          </button>
        ) : (
          <p>Owners, admins and developers add documents. Your role here is {org.role}.</p>
        )}
      </div>
      <Loaded of={loaded}>
        {({ knowledgeBases: bases, meaning }) =>
          bases.length === 0 ? (
            <p className="pf-card panel">
              There is no knowledge base yet. Make one, add your handbook or the help pages of your site, and
              give it to an agent among its tools.
            </p>
          ) : (
            <>
              <ul className="hook-list" aria-label="Knowledge bases">
                {bases.map((base) => (
                  <BaseCard key={base.id} base={base} />
                ))}
              </ul>
              <p className="pf-muted">{meaningText(meaning)}</p>
            </>
          )
        }
      </Loaded>
      {isNew && (
        <Suspense>
          <NewBaseDialog
            onClose={() => setNew(false)}
            onMade={({ id }) => void navigate({ to: "/knowledge/$id", params: { id } })}
          />
        </Suspense>
      )}
    </AppPage>
  );
}

function BaseCard({ base }: { readonly base: KnowledgeBase }) {
  return (
    <li className="pf-card hook-card">
      <div className="hook-card-what">
        <Link to="/knowledge/$id" params={{ id: base.id }} className="hook-url">
          {base.name}
        </Link>
        {base.description !== "" && <p className="hook-card-wants">{base.description}</p>}
        <p className="pf-muted hook-card-wants">{baseText(base)}</p>
      </div>
    </li>
  );
}
