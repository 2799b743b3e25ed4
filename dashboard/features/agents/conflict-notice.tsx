import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useLayoutEffect, useRef } from "react";
import { Icon } from "../../ui/icon.tsx";
import { changesBetween } from "./agent-diff.ts";
import { draftOf, shownOf } from "./agent-draft.ts";
import { ChangeList } from "./change-list.tsx";
import { useEditor } from "./use-editor.tsx";

/** Reports that another person saved meanwhile: what they changed, and which of it was changed here too. */
export function ConflictNotice({ theirs }: { readonly theirs: Agent }) {
  const { agent, draft, adopt, rebase } = useEditor();
  const notice = useRef<HTMLElement>(null);
  // The notice may be out of sight of the save button.
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
      aria-label="Changed by someone else"
    >
      <Icon name="alert" />
      <div>
        <p>
          <strong>Not saved: someone else saved version {theirs.version} in the meantime.</strong>
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
            Keep my changes
          </button>
          <button type="button" className="pf-btn" onClick={() => adopt(theirs)}>
            Use their version
          </button>
        </div>
        <p className="pf-muted">Putting yours on top saves nothing yet: look at it, then save.</p>
      </div>
    </section>
  );
}
