import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { useState } from "react";
import { Link } from "wouter";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretText } from "../../ui/secret-text.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { chosenEvents, EventChoice } from "./event-choice.tsx";
import { webhooksPath } from "./use-endpoints.tsx";
import { VerifyGuide } from "./verify-guide.tsx";

interface RegisterDialogProps {
  /** The endpoint that is registered anew. */
  readonly like?: Webhook;
  readonly onClose: () => void;
  readonly onRegistered: () => Promise<unknown>;
}

type Made = Webhook & { readonly signing_secret: string };

/** Registers an endpoint, then shows its secret this once. */
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
  if (made) return <MadeDialog made={made} onClose={onClose} />;
  return (
    <FormDialog
      title={like ? "Register it anew" : "Register an endpoint"}
      does="Register"
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
        hint="An https address that can be reached from the internet."
        required
      />
      <EventChoice events={like?.events ?? ["*"]} />
      <Field
        label="Agent (optional)"
        name="agentId"
        maxLength={64}
        placeholder="agt_…"
        autoComplete="off"
        defaultValue={like?.agentId ?? ""}
        hint="Only sessions of this agent; events of the organization are then left out."
      />
      <fieldset className="check-group">
        <legend>In call.ended, include</legend>
        <CheckField
          label="the recording’s address"
          name="includeRecording"
          defaultChecked={like?.includeRecording}
        />
        <CheckField
          label="the transcript"
          name="includeTranscript"
          defaultChecked={like?.includeTranscript}
        />
      </fieldset>
    </FormDialog>
  );
}

function MadeDialog({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  return (
    <Dialog title="Keep the signing secret now" size="wide" onClose={onClose}>
      <p>It is shown this once. Whoever has it can write deliveries that look like ours.</p>
      <SecretText label="Signing secret" text={made.signing_secret} />
      <VerifyGuide />
      <div className="row">
        <button type="button" className="pf-btn pf-btn-primary" onClick={onClose}>
          I have kept it
        </button>
        <Link to={`/webhooks/${made.id}`} onClick={onClose}>
          Go on to test it
        </Link>
      </div>
    </Dialog>
  );
}
