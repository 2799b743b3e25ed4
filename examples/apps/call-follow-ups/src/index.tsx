import { mount, useContext, useObjects, usePlatform } from "platform/react";
import type { FormEvent } from "react";

const FORM = { display: "flex", flexWrap: "wrap", gap: "0.5rem", marginBottom: "0.75rem" } as const;
const TEXT = { flex: "1 1 12rem", width: "auto" } as const;

interface FollowUp {
  readonly callId: string;
  readonly text: string;
  /** `2026-11-30`; empty: whenever. */
  readonly due: string;
  readonly isDone: boolean;
}

/** On a call's page what is to be done after it, under its own what is to be done at all. Live on every page that shows it. */
function FollowUps() {
  const { callId } = useContext<{ callId?: string }>();
  const { data, loading, error, create, update } = useObjects<FollowUp>(
    "followup",
    callId === undefined ? undefined : { callId },
  );
  const open = data.filter((one) => !one.data.isDone).toSorted((a, b) => (a.data.due < b.data.due ? -1 : 1));
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <>
      {callId !== undefined && (
        <NewFollowUp onAdd={(text, due) => create({ callId, text, due, isDone: false })} />
      )}
      {!loading && open.length === 0 && <p className="pf-muted">Nothing left to do.</p>}
      <ul>
        {open.map(({ id, data: { text, due, callId: of } }) => (
          <li key={id}>
            {text} {due !== "" && <span className="pf-badge">{due}</span>}{" "}
            {callId === undefined && <OpenCall sessionId={of} />}{" "}
            <button type="button" className="pf-btn" onClick={() => void update(id, { isDone: true })}>
              Mark as done
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function NewFollowUp({ onAdd }: { readonly onAdd: (text: string, due: string) => Promise<unknown> }) {
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const text = String(given.get("text") ?? "").trim();
    if (text === "") return;
    await onAdd(text, String(given.get("due") ?? ""));
    form.reset();
  };
  return (
    <form onSubmit={(event) => void add(event)} style={FORM}>
      <input
        className="pf-input"
        name="text"
        aria-label="Follow-up"
        placeholder="Send the invoice"
        style={TEXT}
      />
      <input className="pf-input" name="due" type="date" aria-label="Due" style={{ width: "auto" }} />
      <button type="submit" className="pf-btn pf-btn-primary" style={{ flex: "none" }}>
        Add follow-up
      </button>
    </form>
  );
}

function OpenCall({ sessionId }: { readonly sessionId: string }) {
  const platform = usePlatform();
  return (
    <button type="button" className="pf-btn" onClick={() => void platform.calls.open(sessionId)}>
      Open call
    </button>
  );
}

mount(FollowUps);
