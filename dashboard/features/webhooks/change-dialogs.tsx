import { EVENT_NAMES } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
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
  const send = async (fields: FormData): Promise<void> => {
    const event = textOf(fields, "event");
    const path = `${webhooksPath(org.id)}/${webhook.id}/test`;
    await session.call(path, { orgId: org.id, body: { event } });
    await onDone(`A sample of ${event} is on its way; what came of it is among the deliveries.`);
  };
  return (
    <FormDialog title="Send a test event" does="Send it" onSubmit={send} onClose={onClose}>
      <p>The catalog’s sample is delivered as the real event would be, signed.</p>
      <SelectField
        label="Event"
        name="event"
        options={EVENT_NAMES}
        defaultValue={EVENT_NAMES.find((event) => webhook.events.includes(event)) ?? "call.ended"}
        hint="Also one that the endpoint is not registered for."
      />
    </FormDialog>
  );
}

type ReplayDialogProps = Omit<ChangeDialogProps, "webhook"> & { readonly endpoint: WatchedEndpoint };

/** Delivers everything since a time again. */
export function ReplayDialog({ endpoint: { webhook, state }, onClose, onDone }: ReplayDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const replay = async (fields: FormData): Promise<void> => {
    const since = new Date(textOf(fields, "since")).toISOString();
    const path = `${webhooksPath(org.id)}/${webhook.id}/replay`;
    const { total } = await session.call<{ total: number }>(path, { orgId: org.id, body: { since } });
    await onDone(replayedText(total));
  };
  const from = state.kind === "failing" ? state.sinceMs : Date.now() - HOUR_MS;
  return (
    <FormDialog title="Deliver again" does="Deliver again" onSubmit={replay} onClose={onClose}>
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
    </FormDialog>
  );
}

/** Deletes an endpoint with its deliveries. */
export function DeleteDialog({ webhook, onClose, onDone }: ChangeDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${webhooksPath(org.id)}/${webhook.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`The endpoint ${webhook.url} is deleted.`);
  };
  return (
    <FormDialog title="Delete this endpoint?" does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>{webhook.url} gets nothing more, and its deliveries can no longer be read. This cannot be undone.</p>
    </FormDialog>
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
