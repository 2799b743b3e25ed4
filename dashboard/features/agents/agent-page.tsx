import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { AccessSection } from "./access-section.tsx";
import { AgentNav } from "./agent-nav.tsx";
import { type SectionId, sectionAt, sectionOf } from "./agent-sections.ts";
import { BrainSection } from "./brain-section.tsx";
import { BrainTestPanel } from "./brain-test-panel.tsx";
import { PhoneDialog, TalkDialog } from "./call-dialogs.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { LimitsSection, OpeningSection, TurnsSection } from "./conversation-sections.tsx";
import { DeleteAgentDialog } from "./delete-agent-dialog.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { SaveBar } from "./save-bar.tsx";
import { settingId } from "./setting-frame.tsx";
import { SpeechSection } from "./speech-section.tsx";
import { agentPath, EditorContext, useAgentEditor } from "./use-editor.tsx";
import { VersionsSection } from "./versions-section.tsx";

interface AgentPageProps {
  readonly id: string;
  /** The part of the address behind the agent's. */
  readonly section: string | undefined;
}

/** One agent: all that can be set of it, tried and read about it. */
export function AgentPage({ id, section }: AgentPageProps) {
  const session = useSession();
  const { org } = useHere();
  const path = agentPath(encodeURIComponent(id));
  const loaded = useData(`${path}#${org.id}`, () =>
    session.call<Agent>(path, { method: "GET", orgId: org.id }),
  );
  return (
    <>
      <Link to="/agents" className="back-link">
        <Icon name="back" /> Agents
      </Link>
      <Loaded of={loaded}>
        {(agent) => <KnownAgent key={agent.id} loaded={agent} section={sectionAt(section)} />}
      </Loaded>
    </>
  );
}

type Open = "none" | "talk" | "phone" | "delete";

function KnownAgent({ loaded, section }: { readonly loaded: Agent; readonly section: SectionId }) {
  const editor = useAgentEditor(loaded);
  const { agent, isChanged, mayChange, theirs } = editor;
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<Open>("none");
  const [wanted, setWanted] = useState<{ readonly path: string }>();
  useEffect(() => {
    if (wanted) document.getElementById(settingId(wanted.path))?.focus();
  }, [wanted]);
  const close = (): void => setOpen("none");
  const goTo = (path: string): void => {
    navigate(`/agents/${agent.id}/${sectionOf(path)}`);
    setWanted({ path });
  };
  return (
    <EditorContext value={editor}>
      <AppPage title={agent.name}>
        <div className="row row-spread">
          <p className="row">
            <span className="pf-badge">Version {agent.version}</span>
            {!agent.apiAccess && <span className="pf-badge">API access off</span>}
            <code className="agent-id">{agent.id}</code>
          </p>
          {mayChange && (
            <div className="row hook-actions">
              <button type="button" className="pf-btn pf-btn-primary" onClick={() => setOpen("talk")}>
                Talk to it …
              </button>
              <button type="button" className="pf-btn" onClick={() => setOpen("phone")}>
                Call me …
              </button>
              <button type="button" className="pf-btn" onClick={() => setOpen("delete")}>
                Delete …
              </button>
            </div>
          )}
        </div>
        {!mayChange && <p>Owners, admins and developers change agents; you may look at all of it.</p>}
        <AgentNav current={section} />
        {theirs && <ConflictNotice theirs={theirs} />}
        <fieldset className="agent-sections" disabled={!mayChange}>
          <legend className="only-heard">Settings</legend>
          <Section id={section} />
        </fieldset>
        {section === "try" && mayChange && <BrainTestPanel />}
        {section === "try" && !mayChange && <p>Your role here may not run the brain.</p>}
        {section === "versions" && <VersionsSection />}
        {editor.news && !isChanged && <Success>{editor.news}</Success>}
        {isChanged && mayChange && <SaveBar onFault={goTo} />}
      </AppPage>
      {isChanged && <LeaveGuard within={`/agents/${agent.id}`} />}
      {open === "talk" && <TalkDialog agent={agent} onClose={close} />}
      {open === "phone" && <PhoneDialog agent={agent} onClose={close} />}
      {open === "delete" && (
        <DeleteAgentDialog agent={agent} onClose={close} onDeleted={() => navigate("/agents")} />
      )}
    </EditorContext>
  );
}

/** The settings of a section; those that are no settings are shown elsewhere. */
function Section({ id }: { readonly id: SectionId }) {
  switch (id) {
    case "brain":
      return <BrainSection />;
    case "speech":
      return <SpeechSection />;
    case "opening":
      return <OpeningSection />;
    case "turns":
      return <TurnsSection />;
    case "limits":
      return <LimitsSection />;
    case "access":
      return <AccessSection />;
    case "try":
    case "versions":
      return null;
  }
}
