import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { WebCall } from "@parley/shared/contracts/sessions.ts";
import type { PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Success } from "../../ui/messages.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { useNumbers } from "../numbers/use-numbers.ts";
import { VariableFields, variablesIn } from "./variable-fields.tsx";

interface CallDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Creates a session with the agent and opens the talk page. */
export function TalkDialog({ agent, onClose }: CallDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const [talkUrl, setTalkUrl] = useState<string>();
  const prepare = async (fields: FormData): Promise<void> => {
    const body = { agentId: agent.id, variables: variablesIn(fields, agent) };
    const { websocketUrl } = await session.call<WebCall>("/api/sessions/init-web-call", {
      orgId: org.id,
      body,
    });
    setTalkUrl(`/talk#${new URLSearchParams({ url: websocketUrl })}`);
  };
  if (talkUrl === undefined) {
    return (
      <FormDialog title={`Talk to ${agent.name}`} does="Start call" onSubmit={prepare} onClose={onClose}>
        <p>A call in this browser, with version {agent.version} as it is saved.</p>
        <VariableFields agent={agent} />
      </FormDialog>
    );
  }
  return (
    <Dialog title={`Talk to ${agent.name}`} onClose={onClose}>
      <Success>The call is ready, for one minute.</Success>
      <div className="row">
        <a
          className="pf-btn pf-btn-primary"
          href={talkUrl}
          target="_blank"
          rel="noreferrer"
          onClick={onClose}
        >
          Open the call page
        </a>
        <button type="button" className="pf-btn" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** Lets the agent call a phone number. */
export function PhoneDialog({ agent, onClose }: CallDialogProps) {
  const session = useSession();
  const { org } = useHere();
  // Retrying after a broken connection is the same call: the phone rings once.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [placed, setPlaced] = useState<PlacedCall>();
  const place = async (fields: FormData): Promise<void> => {
    const from = textOf(fields, "fromNumberId");
    const body = {
      agentId: agent.id,
      to: textOf(fields, "to").replace(/[\s()./-]/g, ""),
      variables: variablesIn(fields, agent),
      ...(from === "" ? {} : { fromNumberId: from }),
    };
    const headers = { "idempotency-key": key };
    try {
      const path = "/api/sessions/initiate-call";
      setPlaced(await session.call<PlacedCall>(path, { orgId: org.id, body, headers }));
    } catch (error) {
      // A refused call rang no phone, and may be corrected.
      if (error instanceof ApiError && error.status < 500) setKey(crypto.randomUUID());
      throw error;
    }
  };
  if (placed) {
    return (
      <Dialog title={`${agent.name} is calling`} onClose={onClose}>
        <Success>
          {placed.toNumber} is called from {placed.fromNumber}.
        </Success>
        <div className="row">
          <Link
            to="/calls/$id"
            params={{ id: placed.sessionId }}
            className="pf-btn pf-btn-primary"
            onClick={onClose}
          >
            See the call
          </Link>
          <button type="button" className="pf-btn" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog title={`Call a phone with ${agent.name}`} does="Call now" onSubmit={place} onClose={onClose}>
      <Field
        label="To"
        name="to"
        type="tel"
        placeholder="+12025550107"
        autoComplete="tel"
        hint="Include the country code, e.g. +1. From a simulated number a simulated phone answers; +12025550107 is one."
        required
      />
      <FromNumber agentId={agent.id} />
      <VariableFields agent={agent} />
    </FormDialog>
  );
}

function FromNumber({ agentId }: { readonly agentId: string }) {
  const { data: numbers } = useNumbers();
  const id = useId();
  if (numbers?.length === 0)
    return <p>There is no number to call from yet: add one under Numbers & access.</p>;
  return (
    <div className="field">
      <label htmlFor={id}>From</label>
      <select id={id} name="fromNumberId" className="pf-select">
        <option value="">The agent’s number, else the first one</option>
        {numbers?.map((number) => (
          <option key={number.id} value={number.id}>
            {number.number} {number.label} {number.agentId === agentId ? "(this agent’s)" : ""}
          </option>
        ))}
      </select>
    </div>
  );
}
