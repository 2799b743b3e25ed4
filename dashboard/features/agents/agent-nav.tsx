import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";
import { SECTIONS, type SectionId, sectionOf } from "./agent-sections.ts";
import { valueAt } from "./json-at.ts";
import { useEditor } from "./use-editor.tsx";

/** The sections of the agent's page, marking those with problems; on a phone, one row that scrolls to the current one. */
export function AgentNav({ current }: { readonly current: SectionId }) {
  const { agent, draft, shownFaults } = useEditor();
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const shown = row.current?.querySelector<HTMLElement>(`[data-section="${current}"]`);
    if (!row.current || !shown) return;
    row.current.scrollLeft = shown.offsetLeft - (row.current.clientWidth - shown.offsetWidth) / 2;
  }, [current]);
  const hasFlow = valueAt(draft, "brain.kind") === "flow";
  const faulty = Object.keys(shownFaults).map(sectionOf);
  return (
    <nav ref={row} className="agent-nav" aria-label="Parts of this agent">
      {SECTIONS.filter(({ id }) => hasFlow || id !== "flow").map(({ id, name }) => {
        const count = faulty.filter((one) => one === id).length;
        return (
          <Link
            key={id}
            to="/agents/$id/{-$section}"
            params={{ id: agent.id, section: id }}
            className="agent-nav-link"
            data-section={id}
            aria-current={id === current ? "page" : undefined}
          >
            {name}
            {count > 0 && (
              <span className="agent-nav-faults">
                {count}
                <span className="only-heard"> to put right</span>
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
