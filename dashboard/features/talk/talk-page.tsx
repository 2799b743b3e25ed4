import { useState } from "react";
import logoUrl from "../../ui/parley.svg";
import { ThemeSwitch } from "../../ui/theme-switch.tsx";
import { ActivityFace } from "./activity-face.tsx";
import { CallButton } from "./call-button.tsx";
import { CallControls } from "./call-controls.tsx";
import { Composer } from "./composer.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { LatencyChart } from "./latency-chart.tsx";
import { Notices } from "./notice.tsx";
import { callUrlInHash } from "./session.ts";
import { Transcript } from "./transcript.tsx";
import { useCall } from "./use-call.ts";
import { noticesOf } from "./words.ts";

/** The talk page: one big button, a face, the conversation, and response times. */
export function TalkPage() {
  const { view, actions, levels } = useCall();
  const [linkedUrl] = useState(() => callUrlInHash(location.hash));
  const { at } = view.phase;
  const inCall = at === "live" || at === "resuming";
  const isOff = !inCall && at !== "preparing" && at !== "connecting";
  const needsUrl =
    linkedUrl !== undefined || (view.phase.at === "no-session" && view.phase.fault === "no-demo");
  return (
    <div className="talk">
      <header className="talk-header">
        <h1>
          <img src={logoUrl} alt="" width="32" height="32" /> Parley
        </h1>
        <nav className="talk-links" aria-label="Elsewhere">
          <a href="/settings">Settings</a>
          <ThemeSwitch />
        </nav>
      </header>
      <main className="talk-main">
        <section className="pf-card talk-stage" aria-label="Call">
          <ActivityFace view={view} levels={levels} />
          <Notices notices={noticesOf(view)} onDismiss={actions.dismissTrouble} />
          {isOff && needsUrl ? (
            <ConnectForm initialUrl={linkedUrl ?? ""} onConnect={actions.start} />
          ) : (
            <CallButton phase={view.phase} actions={actions} />
          )}
          {inCall && <CallControls microphone={view.microphone} actions={actions} />}
          {isOff && !needsUrl && <OwnCallUrl onConnect={actions.start} />}
        </section>
        <section className="pf-card talk-conversation" aria-labelledby="conversation-title">
          <h2 id="conversation-title">Conversation</h2>
          <Transcript entries={view.entries} hearing={view.hearing} agentName={view.agentName} />
          {inCall && <Composer onSend={actions.say} />}
        </section>
        {view.turns.length > 0 && <LatencyChart turns={view.turns} />}
      </main>
    </div>
  );
}

function OwnCallUrl({ onConnect }: { readonly onConnect: (input: "voice" | "text", url: string) => void }) {
  return (
    <details className="talk-own-url">
      <summary>Use your own call URL</summary>
      <ConnectForm initialUrl="" onConnect={onConnect} />
    </details>
  );
}
