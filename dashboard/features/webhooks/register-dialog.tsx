import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretText } from "../../ui/secret-text.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { chosenEvents, EventChoice } from "./event-choice.tsx";
import { ListenHint } from "./listen-hint.tsx";
import { webhooksPath } from "./use-endpoints.ts";
import { VerifyGuide } from "./verify-guide.tsx";

interface RegisterDialogProps {
  /** The endpoint to re-create. */
  readonly like?: Webhook;
  readonly onClose: () => void;
  readonly onRegistered: () => Promise<unknown>;
}

type Made = Webhook & { readonly signing_secret: string };

/** Registers an endpoint, then shows its secret once. */
export function RegisterDialog({ like, onClose, onRegistered }: RegisterDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const [made, setMade] = useState<Made>();
  const register = async (fields: FormData): Promise<void> => {
    const agentId = textOf(fields, "agentId");
    const body = {
      url: textOf(fields, "url"),
      events: chosenEvents(fields),
      ...(agentId === "" ? {} : { agentId }),
      includeRecording: fields.has("includeRecording"),
      includeTranscript: fields.has("includeTranscript"),
    };
    setMade(await session.call<Made>(webhooksPath(org.id), { orgId: org.id, body }));
    await onRegistered();
  };
  const agents = useAgentNames();
  if (made) return <MadeDialog made={made} onClose={onClose} />;
  return (
    <FormDialog
      title={like ? "Re-create endpoint" : "Add endpoint"}
      does={like ? "Re-create" : "Add endpoint"}
      size="wide"
      onSubmit={register}
      onClose={onClose}
    >
      <Field
        label="URL"
        name="url"
        type="url"
        maxLength={2_048}
        placeholder="https://example.com/webhooks/parley"
        autoComplete="off"
        defaultValue={like?.url}
        hint="An https URL that can be reached from the internet."
        required
      />
      {!like && (
        <details className="hook-local">
          <summary>No public URL yet?</summary>
          <ListenHint />
        </details>
      )}
      <EventChoice events={like?.events ?? ["*"]} />
      <ChoiceField
        // The initial choice needs the agents to be loaded.
        key={agents.size}
        label="Agent"
        name="agentId"
        defaultValue={like?.agentId ?? ""}
        hint="With an agent, only events of its calls and chats are sent."
      >
        <option value="">All agents</option>
        {[...agents].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {like?.agentId && !agents.has(like.agentId) && <option value={like.agentId}>{like.agentId}</option>}
      </ChoiceField>
      <fieldset className="check-group">
        <legend>Include in call.ended</legend>
        <CheckField
          label="Link to the recording"
          name="includeRecording"
          defaultChecked={like?.includeRecording}
        />
        <CheckField
          label="Transcript (adds up to several megabytes)"
          name="includeTranscript"
          defaultChecked={like?.includeTranscript}
        />
      </fieldset>
    </FormDialog>
  );
}

function MadeDialog({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  return (
    <Dialog title="Copy your signing secret" size="wide" isKept onClose={onClose}>
      <p>You won’t see it again. Anyone who has it can forge deliveries.</p>
      <SecretText label="Signing secret" text={made.signing_secret} />
      <VerifyGuide />
      <div className="row">
        <button type="button" className="pf-btn pf-btn-primary" onClick={onClose}>
          I’ve saved it
        </button>
        <Link to="/webhooks/$id" params={{ id: made.id }} onClick={onClose}>
          Send a test event
        </Link>
      </div>
    </Dialog>
  );
}
