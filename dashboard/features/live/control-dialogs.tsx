import type { Track } from "@parley/shared/contracts/tracks.ts";
import { useId, useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { clockText } from "../calls/call-labels.ts";
import { lengthText } from "../tracks/track-labels.ts";
import { useTracks } from "../tracks/use-tracks.ts";

/** No track selected: an address is typed. */
const ELSEWHERE = "";

interface ControlDialogProps {
  readonly sessionId: string;
  readonly onClose: () => void;
  /** Receives a sentence about what was done. */
  readonly onDone: (said: string) => Promise<void>;
}

/** Asks whether to end a call, and ends it. */
export function EndDialog({ sessionId, onClose, onDone }: ControlDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const end = async (): Promise<void> => {
    await session.call(pathOf(sessionId), { method: "DELETE", orgId: org.id });
    await onDone("Ending the call…");
  };
  return (
    <FormDialog title="End call?" does="End call" isDanger onSubmit={end} onClose={onClose}>
      <p>Both sides are cut off at once, in the middle of what is said.</p>
    </FormDialog>
  );
}

/** Transfers the person on the phone to another number. */
export function TransferDialog({ sessionId, onClose, onDone }: ControlDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const transfer = async (fields: FormData): Promise<void> => {
    const to = textOf(fields, "to");
    await session.call(`${pathOf(sessionId)}/transfer`, { orgId: org.id, body: { to } });
    await onDone(`Transferring the call to ${to}…`);
  };
  return (
    <FormDialog title="Transfer this call" does="Transfer" onSubmit={transfer} onClose={onClose}>
      <p>The person on the phone is put through; the call ends here once someone answers there.</p>
      <Field
        label="To"
        name="to"
        type="tel"
        placeholder="+12025550142"
        hint="Include the country code, e.g. +1."
        maxLength={32}
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}

/** Plays a library track, or a file from any address, to both sides of a manual call. */
export function PlayDialog({ sessionId, onClose, onDone }: ControlDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { data, problem } = useTracks();
  const [chosen, choose] = useState<string>();
  const trackId = chosen ?? data?.tracks[0]?.id ?? ELSEWHERE;
  const play = async (fields: FormData): Promise<void> => {
    const body = trackId === ELSEWHERE ? { url: textOf(fields, "url") } : { trackId };
    const path = `${pathOf(sessionId)}/play`;
    const { durationMs } = await session.call<{ durationMs: number }>(path, { orgId: org.id, body });
    await onDone(`It is being played, ${clockText(durationMs / 1_000)} long.`);
  };
  // Waits for the tracks: the options must not change during selection.
  if (!data && problem === undefined) return null;
  return (
    <FormDialog title="Play a file into this call" does="Play" onSubmit={play} onClose={onClose}>
      <p>It takes the place of one that is being played.</p>
      {data && data.tracks.length > 0 && (
        <TrackChoice tracks={data.tracks} chosen={trackId} onChoose={choose} />
      )}
      {trackId === ELSEWHERE && (
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
      )}
    </FormDialog>
  );
}

interface TrackChoiceProps {
  readonly tracks: readonly Track[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function TrackChoice({ tracks, chosen, onChoose }: TrackChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Track</label>
      <select id={id} className="pf-select" value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {tracks.map((track) => (
          <option key={track.id} value={track.id}>
            {track.name} ({lengthText(track.durationMs)})
          </option>
        ))}
        <option value={ELSEWHERE}>A file from elsewhere…</option>
      </select>
    </div>
  );
}

function pathOf(sessionId: string): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}`;
}
