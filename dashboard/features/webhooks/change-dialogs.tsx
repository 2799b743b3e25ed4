import { EVENT_NAMES } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { countText } from "./health-words.ts";
import { type WatchedEndpoint, webhooksPath } from "./use-endpoints.tsx";

/** What the API delivers again at once. */
const MOST_REPLAYED = 1_000;
const HOUR_MS = 3_600_000;

interface ChangeDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  /** With what was done, in words. */
  readonly onDone: (said: string) => Promise<void>;
}

/** Delivers the sample of an event. */
export function TestDialog({ webhook, onClose, onDone }: ChangeDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const event = textOf(fields, "event");
    const path = `${webhooksPath(org.id)}/${webhook.id}/test`;
    await session.call(path, { orgId: org.id, body: { event } });
    await onDone(`A sample of ${event} is on its way; what came of it is among the deliveries.`);
  });
  return (
    <Dialog title="Send a test event" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <p>The catalog’s sample is delivered as the real event would be, signed.</p>
        <SelectField
          label="Event"
          name="event"
          options={EVENT_NAMES}
          defaultValue={EVENT_NAMES.find((event) => webhook.events.includes(event)) ?? "call.ended"}
          hint="Also one that the endpoint is not registered for."
        />
        {problem && <Problem>{problem}</Problem>}
        <Buttons does="Send it" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type ReplayDialogProps = Omit<ChangeDialogProps, "webhook"> & { readonly endpoint: WatchedEndpoint };

/** Delivers everything since a time again. */
export function ReplayDialog({ endpoint: { webhook, state }, onClose, onDone }: ReplayDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const since = new Date(textOf(fields, "since")).toISOString();
    const path = `${webhooksPath(org.id)}/${webhook.id}/replay`;
    const { total } = await session.call<{ total: number }>(path, { orgId: org.id, body: { since } });
    await onDone(replayedText(total));
  });
  const from = state.kind === "failing" ? state.sinceMs : Date.now() - HOUR_MS;
  return (
    <Dialog title="Deliver again" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <p>
          Everything raised since then is delivered once more, oldest first, also what got through; at most{" "}
          {countText(MOST_REPLAYED)} at once. Each has a new id.
        </p>
        <Field
          label="Since"
          name="since"
          type="datetime-local"
          defaultValue={localMinute(from)}
          hint={state.kind === "failing" ? "When it began to fail, in your time zone." : "In your time zone."}
          required
        />
        {problem && <Problem>{problem}</Problem>}
        <Buttons does="Deliver again" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Deletes an endpoint with its deliveries. */
export function DeleteDialog({ webhook, onClose, onDone }: ChangeDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { onSubmit, isBusy, problem } = useSubmit(async () => {
    await session.call(`${webhooksPath(org.id)}/${webhook.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`The endpoint ${webhook.url} is deleted.`);
  });
  return (
    <Dialog title="Delete this endpoint?" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <p>
          {webhook.url} gets nothing more, and its deliveries can no longer be read. This cannot be undone.
        </p>
        {problem && <Problem>{problem}</Problem>}
        <Buttons does="Delete" isDanger isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface ButtonsProps {
  readonly does: string;
  readonly isDanger?: boolean;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

function Buttons({ does, isDanger, isBusy, onClose }: ButtonsProps) {
  return (
    <div className="row">
      <button
        type="submit"
        className={`pf-btn ${isDanger ? "pf-btn-danger" : "pf-btn-primary"}`}
        disabled={isBusy}
      >
        {does}
      </button>
      <button type="button" className="pf-btn" onClick={onClose}>
        Cancel
      </button>
    </div>
  );
}

function replayedText(total: number): string {
  if (total === 0) return "Nothing was raised since then; there is nothing to deliver again.";
  const said = `${countText(total)} ${total === 1 ? "delivery is" : "deliveries are"} on the way again.`;
  return total < MOST_REPLAYED ? said : `${said} There may be more: go on from the last of them.`;
}

/** A time as the browser's field for it wants it, in the reader's zone. */
function localMinute(atMs: number): string {
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, "2026-11-20T10:15".length);
}
