import { Icon } from "../../ui/icon.tsx";
import { ActivityFace } from "../talk/activity-face.tsx";
import { CallButton } from "../talk/call-button.tsx";
import { CallControls } from "../talk/call-controls.tsx";
import { Composer } from "../talk/composer.tsx";
import { Notices } from "../talk/notice.tsx";
import { Transcript } from "../talk/transcript.tsx";
import type { useCall } from "../talk/use-call.ts";
import { noticesOf } from "../talk/words.ts";

interface TalkPanelProps {
  readonly call: ReturnType<typeof useCall>;
  readonly onBack: () => void;
}

/** A spoken conversation built from the talk page's parts. */
export function TalkPanel({ call: { view, actions, levels }, onBack }: TalkPanelProps) {
  const { at } = view.phase;
  const inCall = at === "live" || at === "resuming";
  return (
    <main className="talk-main">
      <section className="pf-card talk-stage" aria-label="Call">
        <ActivityFace view={view} levels={levels} />
        <Notices notices={noticesOf(view)} onDismiss={actions.dismissTrouble} />
        <CallButton phase={view.phase} actions={actions} />
        {inCall ? (
          <CallControls microphone={view.microphone} actions={actions} />
        ) : (
          <button type="button" className="pf-btn pf-btn-quiet" onClick={onBack}>
            <Icon name="back" /> Back
          </button>
        )}
      </section>
      <section className="pf-card talk-conversation" aria-label="Conversation">
        <Transcript entries={view.entries} hearing={view.hearing} agentName={view.agentName} />
        {inCall && <Composer onSend={actions.say} />}
      </section>
    </main>
  );
}
