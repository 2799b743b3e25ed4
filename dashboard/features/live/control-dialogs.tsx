import type { ReactNode } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { clockText } from "../calls/call-words.ts";

interface ControlDialogProps {
  readonly sessionId: string;
  readonly onClose: () => void;
  /** With what was done, in words. */
  readonly onDone: (said: string) => Promise<void>;
}

/** Asks whether a call is to be ended, and ends it. */
export function EndDialog({ sessionId, onClose, onDone }: ControlDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSubmit(async () => {
    await session.call(pathOf(sessionId), { method: "DELETE", orgId: org.id });
    await onDone("The call is being ended.");
  });
  return (
    <ControlDialog title="End this call?" does="End the call" isDanger form={form} onClose={onClose}>
      <p>Both sides are cut off at once, in the middle of what is said.</p>
    </ControlDialog>
  );
}

/** Hands the person on the phone over to another number. */
export function TransferDialog({ sessionId, onClose, onDone }: ControlDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSubmit(async (fields) => {
    const to = textOf(fields, "to");
    await session.call(`${pathOf(sessionId)}/transfer`, { orgId: org.id, body: { to } });
    await onDone(`The call is being transferred to ${to}.`);
  });
  return (
    <ControlDialog title="Transfer this call" does="Transfer" form={form} onClose={onClose}>
      <p>The person on the phone is put through; the call ends here once somebody answers there.</p>
      <Field
        label="To"
        name="to"
        type="tel"
        placeholder="+12025550142"
        hint="With the country’s code, after a +."
        maxLength={32}
        autoComplete="off"
        required
      />
    </ControlDialog>
  );
}

/** Plays a file to both sides of a manual call. */
export function PlayDialog({ sessionId, onClose, onDone }: ControlDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSubmit(async (fields) => {
    const body = { url: textOf(fields, "url") };
    const path = `${pathOf(sessionId)}/play`;
    const { durationMs } = await session.call<{ durationMs: number }>(path, { orgId: org.id, body });
    await onDone(`It is being played, ${clockText(durationMs / 1_000)} long.`);
  });
  return (
    <ControlDialog title="Play a file into this call" does="Play" form={form} onClose={onClose}>
      <p>It takes the place of one that is being played.</p>
      <Field
        label="Address of the file"
        name="url"
        type="url"
        placeholder="https://example.com/hold.wav"
        hint="A WAV file of 16-bit PCM."
        maxLength={2_048}
        autoComplete="off"
        required
      />
    </ControlDialog>
  );
}

function pathOf(sessionId: string): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}`;
}

interface FrameProps {
  readonly title: string;
  readonly does: string;
  readonly isDanger?: boolean;
  readonly form: Pick<ReturnType<typeof useSubmit>, "onSubmit" | "isBusy" | "problem">;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function ControlDialog({ title, does, isDanger, form, onClose, children }: FrameProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={form.onSubmit}>
        {children}
        {form.problem && <Problem>{form.problem}</Problem>}
        <div className="row">
          <button
            type="submit"
            className={`pf-btn ${isDanger ? "pf-btn-danger" : "pf-btn-primary"}`}
            disabled={form.isBusy}
          >
            {does}
          </button>
          <button type="button" className="pf-btn" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
