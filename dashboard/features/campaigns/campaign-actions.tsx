import { type CampaignStep, campaignAfter } from "@parley/shared/contracts/campaign-states.ts";
import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem } from "../../ui/messages.tsx";
import { useOrgCall } from "./use-campaigns.ts";

interface ActionsProps {
  readonly campaign: Campaign;
  readonly onDone: () => Promise<void>;
  readonly onEdit: () => void;
}

type Asked = "cancel" | "delete";

/** The steps available in the campaign's state; irreversible ones ask first. */
export function CampaignActions({ campaign, onDone, onEdit }: ActionsProps) {
  const { send } = useOrgCall();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const { id, status } = campaign;
  const may = (step: CampaignStep): boolean => campaignAfter(status, step) !== undefined;
  const take = async (step: "start" | "pause"): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    await send("POST", `/campaigns/${id}/${step}`)
      .then(onDone)
      .catch((error: unknown) => setProblem(reasonOf(error)));
    setBusy(false);
  };
  return (
    <>
      <div className="row">
        {may("start") && (
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            aria-disabled={isBusy}
            onClick={() => void take("start")}
          >
            {status === "paused" ? "Resume" : "Start"}
          </button>
        )}
        {may("pause") && (
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            aria-disabled={isBusy}
            onClick={() => void take("pause")}
          >
            Pause
          </button>
        )}
        {status !== "canceled" && (
          <button type="button" className="pf-btn" onClick={onEdit}>
            Change
          </button>
        )}
        {may("cancel") && status !== "draft" && (
          <button type="button" className="pf-btn" onClick={() => setAsked("cancel")}>
            Cancel campaign
          </button>
        )}
        {status !== "running" && (
          <button type="button" className="pf-btn" onClick={() => setAsked("delete")}>
            Delete
          </button>
        )}
      </div>
      {problem && <Problem>{problem}</Problem>}
      {asked && (
        <AskDialog campaign={campaign} asked={asked} onDone={onDone} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

const ABOUT = {
  cancel: {
    does: "Cancel campaign",
    text: "Nobody is called by it any more, and it cannot be started again. Calls that go on are not ended.",
  },
  delete: {
    does: "Delete",
    text: "Its list and what came of it are deleted. The records of its calls stay.",
  },
} as const;

function AskDialog({
  campaign: { id, name },
  asked,
  onDone,
  onClose,
}: Omit<ActionsProps, "onEdit"> & { readonly asked: Asked; readonly onClose: () => void }) {
  const { send } = useOrgCall();
  const navigate = useNavigate();
  const act = async (): Promise<void> => {
    if (asked === "delete") {
      await send("DELETE", `/campaigns/${id}`);
      await navigate({ to: "/campaigns" });
      return;
    }
    await send("POST", `/campaigns/${id}/cancel`);
    onClose();
    await onDone();
  };
  const { does, text } = ABOUT[asked];
  return (
    <FormDialog
      title={`${does}: ${name}`}
      does={does}
      leave="Keep it"
      isDanger
      onSubmit={act}
      onClose={onClose}
    >
      <p>{text}</p>
    </FormDialog>
  );
}
