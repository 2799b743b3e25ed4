import type { VisitorPage } from "@parley/shared/contracts/public-agents.ts";
import { useEffect, useState } from "react";
import { Problem } from "../../ui/messages.tsx";
import { readableOn } from "../../widget/settings.ts";
import { Conversing } from "./conversing.tsx";
import { VisitError, visitApiAt } from "./visit.ts";

type Loaded = { readonly page: VisitorPage } | { readonly problem: string };

/** The public page where visitors talk to an agent, by its address or a link, alone or framed on another site. */
export function PublicPage() {
  const [api] = useState(() => visitApiAt(location.pathname));
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let isGone = false;
    api
      .page()
      .then((page) => {
        if (isGone) return;
        dress(page);
        setLoaded({ page });
      })
      .catch((error: unknown) => !isGone && setLoaded({ problem: whyNot(error) }));
    return () => {
      isGone = true;
    };
  }, [api]);
  if (loaded === undefined) return <p className="only-heard">Loading…</p>;
  if ("problem" in loaded) {
    return (
      <main className="public public-over">
        <h1>Nobody here</h1>
        <Problem>{loaded.problem}</Problem>
      </main>
    );
  }
  const { page } = loaded;
  return (
    <div className="public">
      <header className="public-header">
        <h1>{page.title}</h1>
        {page.greeting !== null && <p>{page.greeting}</p>}
      </header>
      <Conversing page={page} api={api} />
    </div>
  );
}

/** Applies the organization's color and name. */
function dress({ title, accent }: VisitorPage): void {
  document.title = title;
  if (accent === null) return;
  const { style } = document.documentElement;
  style.setProperty("--pf-primary", accent);
  style.setProperty("--pf-primary-fg", readableOn(accent));
  style.setProperty("--pf-ring", `color-mix(in srgb, ${accent} 40%, transparent)`);
  style.setProperty("--pf-primary-soft", `color-mix(in srgb, ${accent} 14%, transparent)`);
}

function whyNot(error: unknown): string {
  if (!(error instanceof VisitError)) return "Something went wrong. Reload the page to try again.";
  if (error.status === 400 || error.status === 404) return "There is no agent at this address anymore.";
  return error.message;
}
