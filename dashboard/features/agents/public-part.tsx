import type { ChangePublicAgent, PublicAgent } from "@parley/shared/contracts/public-agents.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { PublicSettingsForm } from "./public-settings-form.tsx";
import { SectionPart } from "./section-part.tsx";
import { agentPath, useEditor } from "./use-editor.tsx";

/** Opens the agent to strangers on a page of its own, and closes it again. Takes effect at once. */
export function PublicPart() {
  const { agent } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const [news, setNews] = useState<string>();
  const path = `${agentPath(agent.id)}/public`;
  const loaded = useData(`${path}#${org.id}`, () =>
    session.call<PublicAgent>(path, { method: "GET", orgId: org.id }),
  );
  const change = async (body: ChangePublicAgent, said: string): Promise<void> => {
    setNews(undefined);
    await session.call(path, { method: "PATCH", orgId: org.id, body });
    await loaded.reload();
    setNews(said);
  };
  return (
    <SectionPart
      title="Public page"
      lead="Anyone with the address may talk or write to a public agent, without an account. This takes effect at once."
    >
      {news && <Success>{news}</Success>}
      <Loaded of={loaded}>
        {(page) => <KnownPage page={page} mayChange={isAtLeast(org.role, "admin")} onChange={change} />}
      </Loaded>
    </SectionPart>
  );
}

interface KnownPageProps {
  readonly page: PublicAgent;
  readonly mayChange: boolean;
  readonly onChange: (body: ChangePublicAgent, said: string) => Promise<void>;
}

function KnownPage({ page, mayChange, onChange }: KnownPageProps) {
  const { isPublic, publicUrl, embedSnippet } = page;
  const { run, isBusy, problem } = useSubmit(() =>
    isPublic
      ? onChange({ isPublic: false }, "The page is gone. Its address and settings are kept.")
      : onChange({ isPublic: true }, "The agent is public."),
  );
  return (
    <>
      {isPublic && publicUrl && (
        <p className="row">
          <a href={publicUrl} target="_blank" rel="noreferrer">
            {publicUrl}
          </a>
          <CopyButton label="the address" text={publicUrl} />
        </p>
      )}
      {!isPublic && <p>{publicUrl ? "Private. Its address and settings are kept." : "Private."}</p>}
      {isPublic && embedSnippet && <CodeBlock label="For your own site" text={embedSnippet} />}
      {problem && <Problem>{problem}</Problem>}
      {mayChange ? (
        <div className="row">
          <button type="button" className="pf-btn" disabled={isBusy} onClick={() => void run()}>
            {isPublic ? "Make private" : "Make public"}
          </button>
        </div>
      ) : (
        <p className="pf-muted">Owners and admins make agents public.</p>
      )}
      {mayChange && publicUrl && (
        // Saved settings are the form's new beginning.
        <PublicSettingsForm key={JSON.stringify(page)} page={page} onSave={onChange} />
      )}
    </>
  );
}
