import type { Agent } from "@parley/shared/contracts/agents.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useLayoutEffect, useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Loaded, Skeleton } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { AgentNav } from "./agent-nav.tsx";
import { type SectionId, sectionAt, sectionOf } from "./agent-sections.ts";
import { BrainSection } from "./brain-section.tsx";
import { settingId } from "./setting-frame.tsx";
import { agentPath, EditorContext, useAgentEditor } from "./use-editor.tsx";

const AppSlot = later(async () => (await import("../apps/app-slot.tsx")).AppSlot);
const ConflictNotice = later(async () => (await import("./conflict-notice.tsx")).ConflictNotice);
const NewerVersion = later(async () => (await import("./newer-version.tsx")).NewerVersion);
const LeaveGuard = later(async () => (await import("./leave-guard.tsx")).LeaveGuard);
const SaveBar = later(async () => (await import("./save-bar.tsx")).SaveBar);
const SpeechSection = later(async () => (await import("./speech-section.tsx")).SpeechSection, Skeleton);
const OpeningSection = later(
  async () => (await import("./conversation-sections.tsx")).OpeningSection,
  Skeleton,
);
const TurnsSection = later(async () => (await import("./conversation-sections.tsx")).TurnsSection, Skeleton);
const LimitsSection = later(
  async () => (await import("./conversation-sections.tsx")).LimitsSection,
  Skeleton,
);
const AnalysisSection = later(async () => (await import("./analysis-section.tsx")).AnalysisSection, Skeleton);
const AccessSection = later(async () => (await import("./access-section.tsx")).AccessSection, Skeleton);
const BrainTestPanel = later(async () => (await import("./brain-test-panel.tsx")).BrainTestPanel, Skeleton);
const VersionsSection = later(async () => (await import("./versions-section.tsx")).VersionsSection, Skeleton);
const RehearsalSettings = later(
  async () => (await import("./rehearsal-settings.tsx")).RehearsalSettings,
  Skeleton,
);
const RehearsalsSection = later(
  async () => (await import("./rehearsals-section.tsx")).RehearsalsSection,
  Skeleton,
);
const CopilotSection = later(async () => (await import("./copilot-section.tsx")).CopilotSection, Skeleton);
const TalkDialog = later(async () => (await import("./talk-dialog.tsx")).TalkDialog);
const PhoneDialog = later(async () => (await import("./phone-dialog.tsx")).PhoneDialog);
const FlowSection = later(async () => (await import("../flows/flow-section.tsx")).FlowSection, Skeleton);
const DeleteAgentDialog = later(async () => (await import("./delete-agent-dialog.tsx")).DeleteAgentDialog);

/** One agent: its settings, tests and records. */
export function AgentPage() {
  const { id, section } = useParams({ from: "/organization/agents/$id/{-$section}" });
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
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>("none");
  const [wanted, setWanted] = useState<{ readonly path: string; readonly section: SectionId }>();
  useLayoutEffect(() => {
    // The field may be in a section that renders a moment later.
    if (wanted?.section === section) document.getElementById(settingId(wanted.path))?.focus();
  }, [wanted, section]);
  const close = (): void => setOpen("none");
  const goTo = (path: string): void => {
    const at = sectionOf(path);
    void navigate({ to: "/agents/$id/{-$section}", params: { id: agent.id, section: at } });
    setWanted({ path, section: at });
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
                Talk
              </button>
              <button type="button" className="pf-btn" onClick={() => setOpen("phone")}>
                Call a phone
              </button>
              <button type="button" className="pf-btn" onClick={() => setOpen("delete")}>
                Delete agent
              </button>
            </div>
          )}
        </div>
        {!mayChange && <p>Owners, admins and developers change agents; you may look at all of it.</p>}
        <AgentNav current={section} />
        <NewerVersion />
        {theirs && <ConflictNotice theirs={theirs} />}
        <fieldset className="agent-sections" disabled={!mayChange}>
          <legend className="only-heard">Settings</legend>
          <Section id={section} />
        </fieldset>
        {section === "flow" && <FlowSection wanted={wanted?.path} />}
        {section === "try" && mayChange && <BrainTestPanel />}
        {section === "copilot" && <CopilotSection />}
        {section === "rehearsals" && <RehearsalsSection />}
        {section === "versions" && <VersionsSection />}
        {section === "try" && !mayChange && <p>Your role here may not run the brain.</p>}
        {editor.news && !isChanged && <Success>{editor.news}</Success>}
        {isChanged && mayChange && <SaveBar onFault={goTo} />}
        <AppSlot slot="agent_builder_panel" context={{ agentId: agent.id }} />
      </AppPage>
      {isChanged && <LeaveGuard within={`/agents/${agent.id}`} />}
      {open === "talk" && <TalkDialog agent={agent} onClose={close} />}
      {open === "phone" && <PhoneDialog agent={agent} onClose={close} />}
      {open === "delete" && (
        <DeleteAgentDialog agent={agent} onClose={close} onDeleted={() => void navigate({ to: "/agents" })} />
      )}
    </EditorContext>
  );
}

/** Renders a section's settings; sections without settings are shown elsewhere. */
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
    case "analysis":
      return <AnalysisSection />;
    case "rehearsals":
      return <RehearsalSettings />;
    case "access":
      return <AccessSection />;
    case "flow":
    case "copilot":
    case "try":
    case "versions":
      return null;
  }
}
