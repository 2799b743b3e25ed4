import { useCallback, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";
import { MicrophoneError, type MicrophoneFault } from "../talk/microphone-fault.ts";
import { browserDevices, type OpenedMicrophone } from "./devices.ts";
import { LevelMeter, useHeard } from "./level-meter.tsx";
import { ring } from "./ringer.ts";
import { useSoftphone } from "./softphone-context.ts";
import { MICROPHONE_WORDS } from "./softphone-labels.ts";
import { isBusy } from "./softphone-view.ts";
import type { AudioDevice } from "./use-audio-devices.ts";

/** Chooses the microphone and loudspeaker, before and during a call, and shows whether they work. */
export function DevicePanel() {
  const { devices, actions, view } = useSoftphone();
  const { microphones, speakers, microphoneId, speakerId, canChooseSpeaker, missing, choose } = devices;
  const inCall = isBusy(view);
  return (
    <section className="pf-card panel phone-devices" aria-labelledby="devices-title">
      <h2 id="devices-title">Sound</h2>
      <DeviceChoice
        label="Microphone"
        devices={microphones}
        chosen={microphoneId}
        onChoose={(id) => {
          choose("microphone", id);
          actions.switchMicrophone(id);
        }}
      />
      {!inCall && <MicrophoneTest key={microphoneId ?? ""} deviceId={microphoneId} />}
      {canChooseSpeaker ? (
        <DeviceChoice
          label="Speaker"
          devices={speakers}
          chosen={speakerId}
          onChoose={(id) => {
            choose("speaker", id);
            actions.switchSpeaker(id);
          }}
        />
      ) : (
        <p className="pf-muted">This browser plays on the speaker that the system is set to.</p>
      )}
      {!inCall && <SpeakerTest speakerId={speakerId} />}
      {missing.map((label) => (
        <p key={label} className="message message-warn" role="status">
          {label} is not plugged in. Until it is, the system’s own choice is used.
        </p>
      ))}
    </section>
  );
}

interface DeviceChoiceProps {
  readonly label: string;
  readonly devices: readonly AudioDevice[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

function DeviceChoice({ label, devices, chosen, onChoose }: DeviceChoiceProps) {
  const id = useId();
  const named = devices.filter((device) => device.label !== "");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="pf-select"
        value={chosen ?? ""}
        onChange={(event) => onChoose(event.target.value === "" ? undefined : event.target.value)}
      >
        <option value="">System default</option>
        {named.map((device) => (
          <option key={device.id} value={device.id}>
            {device.label}
          </option>
        ))}
      </select>
    </div>
  );
}

type Test =
  | { readonly is: "off" | "asking" | "on" }
  | { readonly is: "failed"; readonly fault: MicrophoneFault };

/** Opens the microphone to show its level, and to settle the browser's permission before the first call. */
function MicrophoneTest({ deviceId }: { readonly deviceId: string | undefined }) {
  const { devices } = useSoftphone();
  const [test, setTest] = useState<Test>({ is: "off" });
  const level = useRef(0);
  const opened = useRef<AbortController>(undefined);
  useEffect(() => () => opened.current?.abort(), []);
  const stop = (): void => {
    opened.current?.abort();
    setTest({ is: "off" });
  };
  const start = async (): Promise<void> => {
    const until = new AbortController();
    opened.current = until;
    setTest({ is: "asking" });
    try {
      const microphone: OpenedMicrophone = await browserDevices.openMicrophone(
        { onFrame: (frame) => (level.current = frame.level), onLost: stop, deviceId },
        until.signal,
      );
      const close = (): void => void microphone.close();
      if (until.signal.aborted) return close();
      until.signal.addEventListener("abort", close);
      setTest({ is: "on" });
      devices.refresh();
    } catch (error) {
      if (until.signal.aborted) return;
      setTest({ is: "failed", fault: error instanceof MicrophoneError ? error.fault : "broken" });
    }
  };
  return (
    <div className="phone-test">
      <button
        type="button"
        className="pf-btn"
        aria-pressed={test.is === "on"}
        disabled={test.is === "asking"}
        onClick={() => (test.is === "on" ? stop() : void start())}
      >
        <Icon name="microphone" /> {devices.permission === "prompt" ? "Allow and test" : "Test microphone"}
      </button>
      {test.is === "on" && <TestedLevel level={level} />}
      {test.is === "asking" && (
        <p role="status">The browser asks whether this page may use the microphone: allow it.</p>
      )}
      {test.is === "failed" && (
        <Problem>
          <strong>{MICROPHONE_WORDS[test.fault].title}.</strong> {MICROPHONE_WORDS[test.fault].text}
        </Problem>
      )}
    </div>
  );
}

function TestedLevel({ level }: { readonly level: { readonly current: number } }) {
  const read = useCallback(() => level.current, [level]);
  const isHeard = useHeard(read);
  return (
    <>
      <LevelMeter level={read} />
      <span role="status">{isHeard ? "It hears you" : "Say something: nothing is heard yet"}</span>
    </>
  );
}

const TEST_SOUND_MS = 1_300;

function SpeakerTest({ speakerId }: { readonly speakerId: string | undefined }) {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    const stop = ring("test", speakerId);
    const timer = setTimeout(() => setPlaying(false), TEST_SOUND_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isPlaying, speakerId]);
  return (
    <div className="phone-test">
      <button type="button" className="pf-btn" disabled={isPlaying} onClick={() => setPlaying(true)}>
        <Icon name="speaker" /> Test speaker
      </button>
      {isPlaying && <span role="status">You should hear two tones</span>}
    </div>
  );
}
