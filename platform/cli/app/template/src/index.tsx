import { mount, useContext, useObjects, usePlatform } from "platform/react";
import type { FormEvent } from "react";

interface Note {
  readonly callId: string;
  readonly text: string;
}

/** Shows the same notes on a call's page and on the app's own; `callId` is set where a call is shown. */
function Notes() {
  const { callId } = useContext<{ callId?: string }>();
  const notes = useObjects<Note>("note", callId === undefined ? undefined : { callId });
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (text === "") return;
    await notes.create({ callId: callId ?? "", text });
    form.reset();
  };
  if (notes.error) return <p role="alert">{notes.error.message}</p>;
  return (
    <>
      <form
        onSubmit={(event) => void add(event)}
        style={{ display: "flex", gap: "0.5rem", marginBottom: "0.75rem" }}
      >
        <input className="pf-input" name="text" aria-label="Note" placeholder="What is to be done?" />
        <button type="submit" className="pf-btn pf-btn-primary" style={{ flex: "none" }}>
          Add note
        </button>
      </form>
      {!notes.loading && notes.data.length === 0 && <p className="pf-muted">No notes yet.</p>}
      <ul>
        {notes.data.map(({ id, data }) => (
          <li key={id}>
            {data.text} {callId === undefined && <OpenCall sessionId={data.callId} />}
            <button type="button" className="pf-btn" onClick={() => void notes.remove(id)}>
              Done
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function OpenCall({ sessionId }: { readonly sessionId: string }) {
  const platform = usePlatform();
  if (sessionId === "") return null;
  return (
    <button type="button" className="pf-btn" onClick={() => void platform.calls.open(sessionId)}>
      Open call
    </button>
  );
}

mount(Notes);
