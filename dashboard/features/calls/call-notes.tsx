import { MAX_NOTES_CHARS } from "@parley/shared/contracts/call-constants.ts";
import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { useEffect, useId, useRef, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";

/** Pause in typing before notes are saved. */
const PAUSE_MS = 700;
/** From this many remaining characters on, the count is shown. */
const NEARLY_FULL = 500;

/** A call's notes, saved as they are written. */
export function CallNotes({ id }: { readonly id: string }) {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls/${encodeURIComponent(id)}`;
  const loaded = useData(`${path}#notes`, () =>
    session.call<CallDetail>(path, { method: "GET", orgId: org.id }),
  );
  return (
    <section className="pf-card panel" aria-labelledby="notes-title">
      <h2 id="notes-title">Notes</h2>
      <Loaded of={loaded}>{({ notes }) => <NotesField path={path} saved={notes} />}</Loaded>
    </section>
  );
}

interface NotesFieldProps {
  readonly path: string;
  /** The notes as loaded. */
  readonly saved: string;
}

function NotesField({ path, saved }: NotesFieldProps) {
  const { org } = useHere();
  const mayWrite = org.role !== "member" && org.role !== "viewer";
  const notes = useNotes(path, saved);
  const id = useId();
  const left = MAX_NOTES_CHARS - notes.text.length;
  if (!mayWrite) return <p className="notes-text">{saved === "" ? "Nothing was noted down." : saved}</p>;
  return (
    <div className="field">
      <label htmlFor={id} className="only-heard">
        Notes about this call
      </label>
      <textarea
        id={id}
        className="pf-textarea"
        rows={5}
        maxLength={MAX_NOTES_CHARS}
        placeholder="What was agreed? Saved as you type."
        value={notes.text}
        onChange={(event) => notes.write(event.target.value)}
        onBlur={notes.save}
      />
      <p className="pf-muted field-hint" role="status">
        {notes.state === "saving" && "Saving…"}
        {notes.state === "saved" && "Saved"}
        {left < NEARLY_FULL && ` ${left} characters left`}
      </p>
      {notes.problem && (
        <Problem>
          Not saved. {notes.problem}{" "}
          <button type="button" className="pf-btn" onClick={notes.save}>
            Try again
          </button>
        </Problem>
      )}
    </div>
  );
}

/** Saves notes after each pause, one request at a time, and when the page is left. */
function useNotes(path: string, saved: string) {
  const session = useSession();
  const { org } = useHere();
  const [text, setText] = useState(saved);
  const [state, setState] = useState<"untouched" | "open" | "saving" | "saved">("untouched");
  const [problem, setProblem] = useState<string>();
  const latest = useRef({ written: saved, kept: saved, isSaving: false });
  const save = useRef(async (): Promise<void> => undefined);
  useEffect(() => {
    save.current = async () => {
      const notes = latest.current;
      if (notes.isSaving || notes.written === notes.kept) return;
      const sent = notes.written;
      notes.isSaving = true;
      setState("saving");
      try {
        const answer = await session.call<{ notes: string }>(path, {
          method: "PATCH",
          body: { notes: sent },
          orgId: org.id,
        });
        notes.kept = sent;
        setProblem(undefined);
        // Shows the notes as stored, masked by the organization's policy, unless the person typed on
        // meanwhile.
        if (notes.written === sent) {
          notes.written = notes.kept = answer.notes;
          setText(answer.notes);
          setState("saved");
        }
      } catch (error) {
        setProblem(reasonOf(error));
        setState("open");
        return;
      } finally {
        notes.isSaving = false;
      }
      if (notes.written !== notes.kept) await save.current();
    };
  }, [session, org.id, path]);
  useEffect(() => {
    const timer = setTimeout(() => void save.current(), text === latest.current.kept ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const leave = (): void => void save.current();
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  const write = (after: string): void => {
    latest.current.written = after;
    setText(after);
    setState("open");
  };
  return { text, state, problem, write, save: () => void save.current() };
}
