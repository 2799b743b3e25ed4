import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useLayoutEffect, useRef } from "react";
import { Icon } from "../../ui/icon.tsx";
import { changesBetween } from "./agent-diff.ts";
import { draftOf, shownOf } from "./agent-draft.ts";
import { ChangeList } from "./change-list.tsx";
import { useEditor } from "./use-editor.tsx";

/** Somebody else saved meanwhile: what they changed, and which of it was changed here, too. */
export function ConflictNotice({ theirs }: { readonly theirs: Agent }) {
  const { agent, draft, adopt, rebase } = useEditor();
  const notice = useRef<HTMLElement>(null);
  // It may be out of sight where one saves.
  useLayoutEffect(() => notice.current?.focus(), []);
  const changes = changesBetween(shownOf(agent), shownOf(theirs));
  const mine = new Set(changesBetween(draftOf(agent), draft).map(({ path }) => path));
  const both = changes.filter(({ path }) => mine.has(path));
  return (
    <section
      ref={notice}
      tabIndex={-1}
      className="hook-failure tone-warn agent-conflict"
      role="alert"
      aria-label="Changed by somebody else"
    >
      <Icon name="alert" />
      <div>
        <p>
          <strong>Not saved yet: somebody else made version {theirs.version} meanwhile.</strong>
        </p>
        <ChangeList
          changes={changes}
          before={`Version ${agent.version}`}
          after={`Version ${theirs.version}, theirs`}
        />
        {both.length > 0 && (
          <p className="agent-fault">
            You changed this, too; yours would take the place of theirs:{" "}
            {both.map(({ labels }) => labels.join(" › ")).join(", ")}
          </p>
        )}
        <div className="row">
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => rebase(theirs)}>
            Put my changes on top
          </button>
          <button type="button" className="pf-btn" onClick={() => adopt(theirs)}>
            Take theirs, drop mine
          </button>
        </div>
        <p className="pf-muted">Putting yours on top saves nothing yet: look at it, then save.</p>
      </div>
    </section>
  );
}
