import { type CampaignStep, campaignAfter } from "@parley/shared/contracts/campaign-states.ts";
import type { Campaign } from "@parley/shared/contracts/campaigns.ts";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem } from "../../ui/messages.tsx";
import { useOrgCall } from "./use-campaigns.ts";

interface ActionsProps {
  readonly campaign: Pick<Campaign, "id" | "name" | "status"> & {
    readonly targets: Pick<Campaign["targets"], "waiting">;
  };
  /** Where campaigns of its kind are, both as a page and under the organization's address. */
  readonly base: "/campaigns" | "/whatsapp-campaigns";
  readonly onDone: () => Promise<void>;
  readonly onEdit: () => void;
}

type Asked = "cancel" | "delete";

/** The steps available in the campaign's state; irreversible ones ask first. */
export function CampaignActions({ campaign, base, onDone, onEdit }: ActionsProps) {
  const { send } = useOrgCall();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const { id, status, targets } = campaign;
  const isOver = status === "done" && targets.waiting === 0;
  const may = (step: CampaignStep): boolean => campaignAfter(status, step) !== undefined;
  const take = async (step: "start" | "pause"): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    await send("POST", `${base}/${id}/${step}`)
      .then(onDone)
      .catch((error: unknown) => setProblem(reasonOf(error)));
    setBusy(false);
  };
  return (
    <>
      <div className="row">
        {may("start") && !isOver && (
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
            Edit
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
        <AskDialog
          campaign={campaign}
          base={base}
          asked={asked}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

const ABOUT = {
  cancel: {
    does: "Cancel campaign",
    text: {
      "/campaigns": "It places no more calls and can’t be restarted. Live calls continue.",
      "/whatsapp-campaigns": "It sends no more messages and can’t be restarted.",
    },
  },
  delete: {
    does: "Delete",
    text: {
      "/campaigns": "Its list and outcomes are deleted. The records of its calls stay.",
      "/whatsapp-campaigns": "Its list and outcomes are deleted. The conversations stay.",
    },
  },
} as const;

function AskDialog({
  campaign: { id, name },
  base,
  asked,
  onDone,
  onClose,
}: Omit<ActionsProps, "onEdit"> & { readonly asked: Asked; readonly onClose: () => void }) {
  const { send } = useOrgCall();
  const navigate = useNavigate();
  const act = async (): Promise<void> => {
    if (asked === "delete") {
      await send("DELETE", `${base}/${id}`);
      await navigate({ to: base });
      return;
    }
    await send("POST", `${base}/${id}/cancel`);
    onClose();
    await onDone();
  };
  const { does, text } = ABOUT[asked];
  return (
    <FormDialog
      title={`${does}: ${name}`}
      does={does}
      leave="Keep campaign"
      isDanger
      onSubmit={act}
      onClose={onClose}
    >
      <p>{text[base]}</p>
    </FormDialog>
  );
}
