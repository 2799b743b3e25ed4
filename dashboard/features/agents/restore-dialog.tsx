import type { Agent, AgentVersion } from "@parley/shared/contracts/agents.ts";
import { ApiError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { PasswordField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { passwordOf } from "../../ui/use-submit.ts";
import { changesBetween } from "./agent-diff.ts";
import { changeBody, draftOf, shownOf } from "./agent-draft.ts";
import { ChangeList } from "./change-list.tsx";
import { withValueAt } from "./json-at.ts";
import { restoredSecret } from "./restored-secret.ts";
import { agentPath, useEditor } from "./use-editor.tsx";

interface RestoreDialogProps {
  readonly version: AgentVersion;
  readonly onClose: () => void;
}

/** Creates a new version equal to an old one. */
export function RestoreDialog({ version, onClose }: RestoreDialogProps) {
  const { agent, isChanged, adopt } = useEditor();
  const session = useSession();
  const { org } = useHere();
  const secretThen = restoredSecret(agent, version);
  const needsSecret = secretThen === "asked";
  const then =
    secretThen === "kept" ? withValueAt(shownOf(version), "brain.hasSecret", true) : shownOf(version);
  const restore = async (fields: FormData): Promise<void> => {
    const secret = passwordOf(fields, "secret");
    const wanted = draftOf(version);
    const given = needsSecret ? withValueAt(wanted, "brain.secret", secret === "" ? null : secret) : wanted;
    const body = changeBody(draftOf(agent), given, agent.version);
    const path = agentPath(agent.id);
    try {
      const restored = await session.call<Agent>(path, { method: "PATCH", orgId: org.id, body });
      adopt(restored, `Restored version ${version.version} as version ${restored.version}.`);
      onClose();
    } catch (error) {
      // The page is outdated: the current state matters more than the reason.
      if (error instanceof ApiError && error.code === "conflict") {
        adopt(await session.call<Agent>(path, { method: "GET", orgId: org.id }));
      }
      throw error;
    }
  };
  return (
    <FormDialog
      title={`Restore version ${version.version}?`}
      does={`Restore version ${version.version}`}
      size="wide"
      onSubmit={restore}
      onClose={onClose}
    >
      <p>
        It becomes version {agent.version + 1}; calls that begin from then on run with it. Nothing is lost:
        version {agent.version} can be restored as well.
      </p>
      {isChanged && <p className="agent-fault">Your changes that are not saved would be lost.</p>}
      <ChangeList
        changes={changesBetween(shownOf(agent), then)}
        before={`Version ${agent.version}`}
        after={`Version ${version.version}`}
      />
      {needsSecret && (
        <PasswordField
          label="Secret of its brain"
          name="secret"
          autoComplete="new-password"
          hint="Secrets are not kept with versions. Empty: the brain has none."
        />
      )}
    </FormDialog>
  );
}
