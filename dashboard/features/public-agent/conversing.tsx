import type { VisitorPage } from "@parley/shared/contracts/public-agents.ts";
import { useCallback, useRef, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useCall } from "../talk/use-call.ts";
import { ChatPanel } from "./chat-panel.tsx";
import { GivenFields, readGiven } from "./given-fields.tsx";
import { TalkPanel } from "./talk-panel.tsx";
import { type Given, openCall, type VisitApi } from "./visit.ts";

interface ConversingProps {
  readonly page: VisitorPage;
  readonly api: VisitApi;
}

const NOTHING: Given = {};

/** Asks for details first, then runs the conversation, spoken or written. */
export function Conversing({ page, api }: ConversingProps) {
  const form = useRef<HTMLFormElement>(null);
  const given = useRef(NOTHING);
  const [mode, setMode] = useState<"call" | "chat">();
  const open = useCallback((signal: AbortSignal) => openCall(api, given.current, signal), [api]);
  const call = useCall(open);
  const start = (wanted: "call" | "chat") => {
    if (form.current && !form.current.reportValidity()) return;
    given.current = form.current ? readGiven(new FormData(form.current), page) : NOTHING;
    setMode(wanted);
    // Within the press itself, or the browser blocks sound.
    if (wanted === "call") call.actions.start("voice");
  };
  const back = () => {
    call.actions.hangUp();
    setMode(undefined);
  };
  if (mode === "chat")
    return <ChatPanel page={page} api={api} given={given.current} onBack={() => setMode(undefined)} />;
  if (mode === "call") return <TalkPanel call={call} onBack={back} />;
  return (
    <main className="pf-card public-card">
      <GivenFields ref={form} page={page} />
      <div className="public-ways">
        {page.modes.includes("call") && (
          <button type="button" className="pf-btn pf-btn-primary talk-big" onClick={() => start("call")}>
            <Icon name="microphone" /> Start talking
          </button>
        )}
        {page.modes.includes("chat") && (
          <button
            type="button"
            className={page.modes.includes("call") ? "pf-btn pf-btn-quiet" : "pf-btn pf-btn-primary talk-big"}
            onClick={() => start("chat")}
          >
            <Icon name="keyboard" /> Type instead
          </button>
        )}
      </div>
    </main>
  );
}
