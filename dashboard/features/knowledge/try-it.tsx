import type { KnowledgeBase, KnowledgePassage } from "@parley/shared/contracts/knowledge.ts";
import { useState } from "react";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { useKnowledgeSearch } from "./use-knowledge.ts";

interface Found {
  readonly query: string;
  readonly passages: readonly KnowledgePassage[];
}

/** Asks a caller's question, and shows the passages an agent would get. */
export function TryIt({ base }: { readonly base: KnowledgeBase }) {
  const search = useKnowledgeSearch(base.id);
  const [found, setFound] = useState<Found>();
  const submit = useSubmit(async (fields) => {
    const query = textOf(fields, "query").trim();
    if (query !== "") setFound({ query, passages: await search(query) });
  });
  if (base.parts === 0) return null;
  return (
    <section className="pf-card panel" aria-labelledby="try-it">
      <h2 id="try-it">Try a question</h2>
      <form className="row try-it" onSubmit={submit.onSubmit} aria-busy={submit.isBusy}>
        <Field label="What a caller might ask" name="query" maxLength={1_000} autoComplete="off" required />
        <button type="submit" className="pf-btn" aria-disabled={submit.isBusy}>
          Search
        </button>
      </form>
      {submit.problem && <Problem>{submit.problem}</Problem>}
      <div role="status">{found && <Passages {...found} />}</div>
    </section>
  );
}

function Passages({ query, passages }: Found) {
  if (passages.length === 0) {
    return <p>Nothing found for “{query}”. An agent would say that it doesn’t know.</p>;
  }
  return (
    <>
      <p className="pf-muted">An agent gets these passages for “{query}”, the best first.</p>
      <ol className="passages">
        {passages.map(({ documentId, document, heading, text }) => (
          <li key={`${documentId} ${text}`}>
            <p className="pf-muted">{heading === "" ? document : `${document} › ${heading}`}</p>
            <p className="passage-text">{text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
