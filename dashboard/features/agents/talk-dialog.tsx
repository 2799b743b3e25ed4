import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { WebCall } from "@parley/shared/contracts/sessions.ts";
import { Link } from "@tanstack/react-router";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { ApiError, reasonOf } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ActivityFace } from "../talk/activity-face.tsx";
import { CallButton } from "../talk/call-button.tsx";
import { CallControls } from "../talk/call-controls.tsx";
import { Composer } from "../talk/composer.tsx";
import "../talk/face.css";
import { LatencyChart } from "../talk/latency-chart.tsx";
import "../talk/latency.css";
import { Notices } from "../talk/notice.tsx";
import { SessionError, type TalkSession } from "../talk/session.ts";
import "../talk/talk.css";
import { Transcript } from "../talk/transcript.tsx";
import { useCall } from "../talk/use-call.ts";
import { noticesOf } from "../talk/words.ts";
import "./talk-dialog.css";
import { VariableFields, variablesIn } from "./variable-fields.tsx";

interface TalkDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

type Variables = Readonly<Record<string, string>>;
const NO_VARIABLES: Variables = {};

/** Asks for the call's variables, if the agent has any, then talks to the agent beside its page. */
export function TalkDialog({ agent, onClose }: TalkDialogProps) {
  const [variables, setVariables] = useState(agent.variables.length === 0 ? NO_VARIABLES : undefined);
  if (variables !== undefined) return <TalkPanel agent={agent} variables={variables} onClose={onClose} />;
  return (
    <FormDialog
      title={`Talk to ${agent.name}`}
      does="Continue"
      onSubmit={async (fields) => setVariables(variablesIn(fields, agent))}
      onClose={onClose}
    >
      <VariableFields agent={agent} />
    </FormDialog>
  );
}

interface TalkPanelProps extends TalkDialogProps {
  readonly variables: Variables;
}

/** A call in this browser, built from the talk page's parts; closing it ends the call. */
function TalkPanel({ agent, variables, onClose }: TalkPanelProps) {
  const { open, sessionId } = useAgentCalls(agent, variables);
  const { view, actions, levels } = useCall(open);
  const conversation = useRef<HTMLElement>(null);
  const { at } = view.phase;
  const inCall = at === "live" || at === "resuming";
  useLayoutEffect(() => {
    // "Type instead" is gone, and the focus with it.
    if (inCall && document.activeElement === document.body)
      conversation.current?.querySelector("input")?.focus();
  }, [inCall]);
  const isOff = !inCall && at !== "preparing" && at !== "connecting";
  return (
    <Dialog
      title={`Talk to ${agent.name}`}
      size="side"
      onClose={onClose}
      first={callButtonIn}
      // Escape ends the call first: what was said stays to be read.
      {...(!isOff && { onEscape: actions.hangUp })}
    >
      <section className="talk-stage" aria-label="Call">
        <ActivityFace view={view} levels={levels} />
        <Notices notices={noticesOf(view)} onDismiss={actions.dismissTrouble} />
        <CallButton phase={view.phase} actions={actions} />
        {inCall && <CallControls microphone={view.microphone} actions={actions} />}
        {at === "idle" && <p className="pf-muted">Version {agent.version}, as saved.</p>}
        {at === "ended" && sessionId !== undefined && (
          <Link to="/calls/$id" params={{ id: sessionId }}>
            Open call
          </Link>
        )}
      </section>
      <section ref={conversation} className="talk-conversation" aria-label="Conversation">
        <Transcript entries={view.entries} hearing={view.hearing} agentName={agent.name} />
        {inCall && <Composer onSend={actions.say} />}
      </section>
      {view.turns.length > 0 && <LatencyChart turns={view.turns} />}
    </Dialog>
  );
}

function callButtonIn(panel: HTMLElement): HTMLElement | null {
  return panel.querySelector<HTMLElement>(".talk-stage button");
}

/** Creates calls with the agent; each `open` is a call of its own, and `sessionId` is the last one's. */
function useAgentCalls(agent: Agent, variables: Variables) {
  const session = useSession();
  const { org } = useHere();
  const [sessionId, setSessionId] = useState<string>();
  const open = useCallback(async (): Promise<TalkSession> => {
    try {
      const body = { agentId: agent.id, variables };
      const call = await session.call<WebCall>("/api/sessions/init-web-call", { orgId: org.id, body });
      setSessionId(call.sessionId);
      return { websocketUrl: call.websocketUrl, agentName: agent.name };
    } catch (error) {
      throw new SessionError(error instanceof ApiError ? "refused" : "offline", reasonOf(error));
    }
  }, [session, org.id, agent.id, agent.name, variables]);
  return { open, sessionId };
}
