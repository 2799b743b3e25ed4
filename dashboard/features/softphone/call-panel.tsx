import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { preloadDialog } from "../../ui/dialog.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { CallHearing } from "./call-hearing.tsx";
import { CallTimer } from "./call-timer.tsx";
import { KeyGrid } from "./key-grid.tsx";
import { useSoftphone } from "./softphone-context.ts";
import { cameBackText, MICROPHONE_WORDS, stateWords } from "./softphone-labels.ts";
import { TransferDialog } from "./transfer-dialog.tsx";
import { useCallKeys } from "./use-call-keys.ts";

/** The call under way: the other side, audio quality and all controls. */
export function CallPanel() {
  const { view, actions } = useSoftphone();
  const { line, phase, isMuted, isHeld, answeredAtMs } = view;
  const [opened, setOpened] = useState<"keypad" | "transfer">();
  const panel = useRef<HTMLElement>(null);
  const isLive = phase.at === "live";
  useLayoutEffect(() => panel.current?.focus(), []);
  useEffect(preloadDialog, []);
  const keys = useCallKeys({
    press: (digit) => isLive && actions.press(digit),
    toggleMute: () => actions.mute(!isMuted),
    toggleHold: () => isLive && actions.hold(!isHeld),
    openTransfer: () => isLive && setOpened("transfer"),
    hangUp: actions.hangUp,
  });
  const read = (): void => {
    actions.readCameBack();
    // The pressed button disappears; focusing the panel keeps the call's keys working.
    panel.current?.focus();
  };
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className="pf-card panel phone-call"
      aria-label="Call"
      // What is typed while the dialog's code comes is meant for the dialog, not for the other side.
      onKeyDown={opened === "transfer" ? undefined : keys.onKeyDown}
    >
      <header className="phone-whom">
        <h2>{line === undefined ? "Call" : phoneText(line.number)}</h2>
        <p>
          <span role="status">{stateWords(view)}</span>
          {answeredAtMs !== undefined && <CallTimer sinceMs={answeredAtMs} />}
        </p>
        {line?.ownNumber && (
          <p className="pf-muted">
            {line.direction === "inbound" ? "called" : "from"} {phoneText(line.ownNumber)}
          </p>
        )}
      </header>
      <CallTroubles onRead={read} />
      <CallHearing />
      <div className="phone-controls">
        <Toggle
          icon={isMuted ? "microphone-off" : "microphone"}
          name="Mute"
          isOn={isMuted}
          onClick={() => actions.mute(!isMuted)}
        />
        <Toggle
          icon={isHeld ? "resume" : "hold"}
          name="Hold"
          isOn={isHeld}
          isOff={!isLive}
          onClick={() => actions.hold(!isHeld)}
        />
        <button
          type="button"
          className="pf-btn"
          aria-expanded={opened === "keypad"}
          disabled={!isLive}
          onClick={() => setOpened(opened === "keypad" ? undefined : "keypad")}
        >
          <Icon name="keypad" /> Keypad
        </button>
        <button type="button" className="pf-btn" disabled={!isLive} onClick={() => setOpened("transfer")}>
          <Icon name="transfer" /> Transfer
        </button>
      </div>
      {opened === "keypad" && isLive && <KeyGrid label="Keys to send" onPress={actions.press} />}
      <PressedKeys />
      <HangUp isLeaving={keys.isLeaving} onHangUp={actions.hangUp} />
      {opened === "transfer" && <TransferDialog onClose={() => setOpened(undefined)} />}
    </section>
  );
}

/** What the person in the call needs to know now. */
function CallTroubles({ onRead }: { readonly onRead: () => void }) {
  const { view } = useSoftphone();
  const { microphone, isTalkingMuted, trouble, cameBack } = view;
  return (
    <div role="alert">
      {isTalkingMuted && (
        <p className="message message-warn">You are talking, but you are muted. Press m to be heard.</p>
      )}
      {microphone.is === "failed" && (
        <p className="message message-problem">
          <strong>{MICROPHONE_WORDS[microphone.fault].title}.</strong>{" "}
          {MICROPHONE_WORDS[microphone.fault].text}
        </p>
      )}
      {cameBack && (
        <div className="message message-warn phone-came-back">
          <p>{cameBackText(cameBack)}</p>
          <button type="button" className="pf-btn pf-btn-quiet" data-tip="Dismiss" onClick={onRead}>
            <Icon name="close" />
            <span className="only-heard">Dismiss</span>
          </button>
        </div>
      )}
      {trouble && <p className="message message-problem">{trouble}</p>}
    </div>
  );
}

interface ToggleProps {
  readonly icon: IconName;
  readonly name: string;
  readonly isOn: boolean;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Toggle({ icon, name, isOn, isOff = false, onClick }: ToggleProps) {
  return (
    <button type="button" className="pf-btn" aria-pressed={isOn} disabled={isOff} onClick={onClick}>
      <Icon name={icon} /> {name}
    </button>
  );
}

function PressedKeys() {
  const { view } = useSoftphone();
  if (view.pressed === "" && view.heardKeys === "") return null;
  return (
    <dl className="phone-pressed">
      {view.pressed !== "" && (
        <div>
          <dt>Keys you sent</dt>
          <dd>{view.pressed}</dd>
        </div>
      )}
      {view.heardKeys !== "" && (
        <div>
          <dt>Keys they pressed</dt>
          <dd>{view.heardKeys}</dd>
        </div>
      )}
    </dl>
  );
}

/** Set apart, and ignores the second click of a double click, so that no one hangs up by accident. */
function HangUp({ isLeaving, onHangUp }: { readonly isLeaving: boolean; readonly onHangUp: () => void }) {
  return (
    <footer className="phone-leave">
      <button
        type="button"
        className="pf-btn pf-btn-danger"
        onClick={(event) => event.detail <= 1 && onHangUp()}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
      >
        <Icon name="hang-up" /> Hang up
      </button>
      <p className="pf-muted" role="status">
        {isLeaving ? (
          <strong>Press Esc again to hang up</strong>
        ) : (
          <span className="phone-shortcuts">
            <kbd>0</kbd>–<kbd>9</kbd> <kbd>*</kbd> <kbd>#</kbd> send keys, <kbd>m</kbd> mutes, <kbd>h</kbd>{" "}
            holds, <kbd>t</kbd> transfers, <kbd>Esc</kbd> twice hangs up
          </span>
        )}
      </p>
    </footer>
  );
}
