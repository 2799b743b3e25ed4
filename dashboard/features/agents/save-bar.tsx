import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { can, useHere } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import { changesBetween } from "./agent-diff.ts";
import { draftOf } from "./agent-draft.ts";
import { wordsOf } from "./agent-labels.ts";
import { SECTIONS, sectionOf } from "./agent-sections.ts";
import { useEditor } from "./use-editor.tsx";

interface SaveBarProps {
  /** Receives the path of the first setting that blocks saving. */
  readonly onFault: (path: string) => void;
}

/** Says what is unsaved and saves it; stays in view. */
export function SaveBar({ onFault }: SaveBarProps) {
  const { agent, draft, faults, shownFaults, isBusy, problem, isUnrehearsed, save, discard } = useEditor();
  const mayPass = can(useHere(), "manage_workplace");
  const titleId = useId();
  const changed = new Set(changesBetween(draftOf(agent), draft).map(({ path }) => sectionOf(path)));
  const where = SECTIONS.filter(({ id }) => changed.has(id)).map(({ name }) => name);
  const wrong = Object.entries(shownFaults);
  const submit = async (how: Parameters<typeof save>[0] = {}): Promise<void> => {
    const [first] = Object.keys(faults);
    if (!(await save(how)) && first !== undefined) onFault(first);
  };
  return (
    <section className="pf-card agent-save" aria-labelledby={titleId}>
      {problem && <Problem>{problem}</Problem>}
      {isUnrehearsed && (
        <div className="row">
          <Link to="/agents/$id/{-$section}" params={{ id: agent.id, section: "rehearsals" }}>
            Rehearse
          </Link>
          {mayPass && (
            <button
              type="button"
              className="pf-btn"
              disabled={isBusy}
              onClick={() => void submit({ unrehearsed: true })}
            >
              Save anyway
            </button>
          )}
        </div>
      )}
      {wrong.length > 0 && (
        <ul className="agent-wrong" aria-label="What keeps it from being saved">
          {wrong.map(([path, words]) => (
            <li key={path}>
              <Link
                to="/agents/$id/{-$section}"
                params={{ id: agent.id, section: sectionOf(path) }}
                onClick={() => onFault(path)}
              >
                {wordsOf(path).label}
              </Link>
              : {words}
            </li>
          ))}
        </ul>
      )}
      <div className="row row-spread">
        <p id={titleId}>
          <strong>Not saved yet</strong>
          {where.length > 0 && `: ${where.join(", ")}`}
        </p>
        <div className="row">
          <button type="button" className="pf-btn" disabled={isBusy} onClick={discard}>
            Discard
          </button>
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            disabled={isBusy}
            onClick={() => void submit()}
          >
            Save
          </button>
        </div>
      </div>
    </section>
  );
}
