import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { useNumbers } from "../numbers/use-numbers.ts";
import { agentPath } from "./use-editor.tsx";

interface DeleteAgentDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Says what stops working, then deletes an agent. */
export function DeleteAgentDialog({ agent, onClose, onDeleted }: DeleteAgentDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { data: numbers, problem } = useNumbers();
  const remove = async (): Promise<void> => {
    await session.call(agentPath(agent.id), { method: "DELETE", orgId: org.id });
    onDeleted();
  };
  const own = numbers?.filter(({ agentId }) => agentId === agent.id) ?? [];
  return (
    <FormDialog
      title={`Delete ${agent.name}?`}
      does={`Delete ${agent.name}`}
      isDanger
      isReady={numbers !== undefined}
      problem={problem}
      onSubmit={remove}
      onClose={onClose}
    >
      {own.length > 0 && (
        <p className="agent-fault">
          Calls to {own.map(({ number }) => phoneText(number)).join(", ")} will be rejected until you assign{" "}
          {own.length === 1 ? "it" : "them"} again.
        </p>
      )}
      <p>
        It takes no more calls or chats, and its client tokens stop working. Its calls, recordings and
        versions are kept. This can’t be undone.
      </p>
    </FormDialog>
  );
}
