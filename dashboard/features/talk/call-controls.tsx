import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import type { MicrophoneView } from "./call-view.ts";
import { Keypad } from "./keypad.tsx";
import type { CallActions } from "./use-call.ts";

interface CallControlsProps {
  readonly microphone: MicrophoneView;
  readonly actions: Pick<CallActions, "mute" | "unmute" | "openMicrophone" | "press">;
}

/** Controls during a call: mute, keypad. */
export function CallControls({ microphone, actions }: CallControlsProps) {
  const [keypad, setKeypad] = useState<"hidden" | "shown">("hidden");
  return (
    <>
      <div className="talk-controls">
        <MicrophoneButton microphone={microphone} actions={actions} />
        <button
          type="button"
          className="pf-btn"
          aria-expanded={keypad === "shown"}
          aria-controls="keypad"
          onClick={() => setKeypad(keypad === "shown" ? "hidden" : "shown")}
        >
          <Icon name="keypad" /> Keypad
        </button>
      </div>
      <div id="keypad" hidden={keypad === "hidden"}>
        <Keypad onPress={actions.press} />
      </div>
    </>
  );
}

function MicrophoneButton({ microphone, actions }: CallControlsProps) {
  if (microphone.is === "off" || microphone.is === "failed") {
    return (
      <button type="button" className="pf-btn" onClick={actions.openMicrophone}>
        <Icon name="microphone" /> Use microphone
      </button>
    );
  }
  const muted = microphone.is === "muted";
  return (
    <button
      type="button"
      className="pf-btn"
      aria-pressed={muted}
      aria-label="Mute"
      onClick={muted ? actions.unmute : actions.mute}
    >
      <Icon name={muted ? "microphone-off" : "microphone"} /> {muted ? "Muted" : "Mute"}
    </button>
  );
}
