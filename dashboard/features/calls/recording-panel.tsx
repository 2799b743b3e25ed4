import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import type { Waveform } from "@parley/shared/contracts/recordings.ts";
import { type RefObject, useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { clockText, speakerNames } from "./call-labels.ts";
import { type Player, useWaveform } from "./use-waveform.ts";

interface RecordingPanelProps {
  readonly call: Pick<CallRecord, "sessionId" | "channel" | "direction">;
  readonly recording: NonNullable<CallRecord["recording"]>;
  /** Set while the recording can be played. */
  readonly player: RefObject<Player | undefined>;
  readonly onTime: (secs: number) => void;
}

/** A player with the recording's waveform, the caller above and the agent below. */
export function RecordingPanel({ call, recording, player, onTime }: RecordingPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls/${encodeURIComponent(call.sessionId)}/waveform`;
  const loaded = useData(path, () => session.call<Waveform>(path, { method: "GET", orgId: org.id }));
  return (
    <section className="pf-card panel" aria-labelledby="recording-title">
      <h2 id="recording-title">Recording</h2>
      <Loaded of={loaded}>
        {(waveform) => (
          <Waves call={call} waveform={waveform} recording={recording} player={player} onTime={onTime} />
        )}
      </Loaded>
    </section>
  );
}

type WavesProps = RecordingPanelProps & { readonly waveform: Waveform };

function Waves({ call, waveform, recording, player, onTime }: WavesProps) {
  const [atSecs, setAtSecs] = useState(0);
  const speakers = speakerNames(call);
  const { container, isPlaying, isBroken, toggle, seek } = useWaveform({
    waveform,
    recording,
    player,
    onTime: (secs) => {
      setAtSecs(secs);
      onTime(secs);
    },
  });
  return (
    <>
      <div className="call-tracks" aria-hidden="true">
        {waveform.channels.length === 2 && (
          <div className="call-speakers">
            <span>{speakers.user}</span>
            <span>{speakers.assistant}</span>
          </div>
        )}
        <div ref={container} className="call-waves" />
      </div>
      <div className="row call-player">
        <button type="button" className="pf-btn pf-btn-primary" onClick={toggle}>
          {isPlaying ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          aria-label="Position in the recording"
          aria-valuetext={`${clockText(atSecs)} of ${clockText(recording.durationSecs)}`}
          min="0"
          max={recording.durationSecs}
          step="any"
          value={atSecs}
          onChange={(event) => seek(Number(event.target.value))}
        />
        <span className="call-clock">
          {clockText(atSecs)} / {clockText(recording.durationSecs)}
        </span>
      </div>
      {recording.partial && (
        <p className="pf-muted">The end is missing: the disk was full while the call went on.</p>
      )}
      {isBroken && (
        <Problem>The recording could not be played. Reload the page: its link is good for an hour.</Problem>
      )}
    </>
  );
}
