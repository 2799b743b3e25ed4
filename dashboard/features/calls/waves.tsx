import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import type { Waveform } from "@parley/shared/contracts/recordings.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import type { Cursor } from "./use-cursor.ts";
import { useWaveform } from "./use-waveform.ts";

type Recording = NonNullable<CallRecord["recording"]>;

/** The recording's waveform, which comes after the record. */
export function useRecordingWaves(sessionId: string) {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls/${encodeURIComponent(sessionId)}/waveform`;
  return useData(path, () => session.call<Waveform>(path, { method: "GET", orgId: org.id }));
}

interface WavesProps extends Pick<Cursor, "sound" | "listener"> {
  readonly waveform: Waveform;
  readonly recording: Recording;
  /** The axis' length: a recording may end before the call does. */
  readonly lengthSecs: number;
}

/** Both sides' sound, a lane each, as long as the recording. */
export function Waves({ waveform, recording, lengthSecs, sound, listener }: WavesProps) {
  const container = useWaveform({ waveform, recording, sound, listener });
  const width = `${Math.min(100, (recording.durationSecs / lengthSecs) * 100)}%`;
  return <div ref={container} className="axis-waves" style={{ width }} />;
}
