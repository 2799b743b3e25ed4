import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { CheckField, Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { countText } from "./health-labels.ts";
import { RAISED } from "./raised-events.ts";
import { type WatchedEndpoint, webhooksPath } from "./use-endpoints.ts";

/** Rounds of one replay; each round replays the API's maximum per request. */
const MAX_ROUNDS = 10;
const HOUR_MS = 3_600_000;

interface ChangeDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  /** Receives a sentence about what was done. */
  readonly onDone: (said: string) => Promise<void>;
}

/** Delivers an event's sample. */
export function TestDialog({ webhook, onClose, onDone }: ChangeDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const send = async (fields: FormData): Promise<void> => {
    const event = textOf(fields, "event");
    const path = `${webhooksPath(org.id)}/${webhook.id}/test`;
    await session.call(path, { orgId: org.id, body: { event } });
    await onDone(`Test ${event} sent. See the result under Deliveries.`);
  };
  return (
    <FormDialog title="Send test event" does="Send" onSubmit={send} onClose={onClose}>
      <p>Sends sample data, signed like a real event.</p>
      <SelectField
        label="Event"
        name="event"
        options={RAISED}
        defaultValue={RAISED.find((event) => webhook.events.includes(event)) ?? "call.ended"}
        hint="You can also test events this endpoint isn’t subscribed to."
      />
    </FormDialog>
  );
}

type ReplayDialogProps = Omit<ChangeDialogProps, "webhook"> & { readonly endpoint: WatchedEndpoint };

/** Replays the deliveries that failed since a time. */
export function ReplayDialog({ endpoint: { webhook, state }, onClose, onDone }: ReplayDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const replay = async (fields: FormData): Promise<void> => {
    const since = new Date(textOf(fields, "since")).toISOString();
    const path = `${webhooksPath(org.id)}/${webhook.id}/replay`;
    const all = fields.has("all");
    let total = 0;
    let after: string | null = null;
    for (let round = 0; round === 0 || (after !== null && round < MAX_ROUNDS); round++) {
      const body = { since, all, ...(after === null ? {} : { after }) };
      const sent: Queued = await session.call<Queued>(path, { orgId: org.id, body });
      total += sent.total;
      after = sent.nextAfter;
    }
    await onDone(replayedText(total, { all, isCut: after !== null }));
  };
  const from = state.kind === "failing" ? state.sinceMs : Date.now() - HOUR_MS;
  return (
    <FormDialog title="Replay events" does="Replay" onSubmit={replay} onClose={onClose}>
      <p>Sends failed deliveries again, oldest first. Each replay has a new delivery ID and the same body.</p>
      <Field
        label="Since"
        name="since"
        type="datetime-local"
        defaultValue={localMinute(from)}
        hint={state.kind === "failing" ? "When failures began, in your time zone." : "In your time zone."}
        required
      />
      <CheckField
        label="Also replay delivered events"
        name="all"
        hint="Your server gets them a second time."
      />
    </FormDialog>
  );
}

interface Queued {
  readonly total: number;
  readonly nextAfter: string | null;
}

/** Deletes an endpoint with its deliveries. */
export function DeleteDialog({ webhook, onClose, onDone }: ChangeDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${webhooksPath(org.id)}/${webhook.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`Endpoint ${webhook.url} deleted.`);
  };
  return (
    <FormDialog title="Delete endpoint?" does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>
        {webhook.url} will stop receiving events, and its delivery history is deleted. This can’t be undone.
      </p>
    </FormDialog>
  );
}

function replayedText(total: number, { all, isCut }: { all: boolean; isCut: boolean }): string {
  if (total === 0) return all ? "No events since then." : "No failed deliveries since then.";
  const said = `Replaying ${countText(total)} ${total === 1 ? "delivery" : "deliveries"}.`;
  return isCut ? `${said} There are more. Replay again from a later time.` : said;
}

/** A time in the reader's zone, as the browser's input takes it. */
function localMinute(atMs: number): string {
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, "2026-11-20T10:15".length);
}
