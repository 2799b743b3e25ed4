import { createWebhookSchema, type Webhook } from "@parley/shared/contracts/webhooks.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { SecretText } from "../../ui/secret-text.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { EventChoice } from "./event-choice.tsx";
import { ListenHint } from "./listen-hint.tsx";
import { webhooksPath } from "./use-endpoints.ts";
import { VerifyGuide } from "./verify-guide.tsx";

interface RegisterDialogProps {
  /** The endpoint to re-create. */
  readonly like?: Webhook;
  readonly onClose: () => void;
  readonly onRegistered: () => Promise<unknown>;
}

/** The API takes an endpoint without events, which would hear nothing. */
const endpointSchema = createWebhookSchema.refine(({ events }) => events?.length !== 0, {
  path: ["events"],
  message: "select at least one event",
});

type Made = Webhook & { readonly signing_secret: string };

/** Registers an endpoint, then shows its secret once. */
export function RegisterDialog({ like, onClose, onRegistered }: RegisterDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const [made, setMade] = useState<Made>();
  const form = useSchemaForm({
    schema: endpointSchema,
    values: {
      url: like?.url ?? "",
      which: (like?.events ?? ["*"]).includes("*") ? "all" : "some",
      events: (like?.events ?? []).filter((event) => event !== "*"),
      agentId: like?.agentId ?? "",
      includeRecording: like?.includeRecording ?? false,
      includeTranscript: like?.includeTranscript ?? false,
    },
    body: ({ url, which, events, agentId, ...included }) => ({
      url: url.trim(),
      events: which === "all" ? ["*"] : events,
      ...(agentId === "" ? {} : { agentId }),
      ...included,
    }),
    send: async (body) => {
      setMade(await session.call<Made>(webhooksPath(org.id), { orgId: org.id, body }));
      await onRegistered();
    },
  });
  const agents = useAgentNames();
  if (made) return <MadeDialog made={made} onClose={onClose} />;
  return (
    <SchemaDialog
      title={like ? "Re-create endpoint" : "Add endpoint"}
      does={like ? "Re-create" : "Add endpoint"}
      size="wide"
      form={form}
      onClose={onClose}
    >
      <Field
        {...form.field("url", "URL")}
        type="url"
        placeholder="https://example.com/webhooks/parley"
        autoComplete="off"
        hint="An https URL that can be reached from the internet."
        required
      />
      {!like && (
        <details className="hook-local">
          <summary>No public URL yet?</summary>
          <ListenHint />
        </details>
      )}
      <EventChoice
        which={form.field("which", "Which events")}
        events={form.field("events", "Events")}
        isAllFirst={!like || like.events.includes("*")}
      />
      <ChoiceField
        // The initial choice needs the agents to be loaded.
        key={agents.size}
        {...form.field("agentId", "Agent")}
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
        <CheckField {...form.field("includeRecording", "Link to the recording")} />
        <CheckField {...form.field("includeTranscript", "Transcript (adds up to several megabytes)")} />
      </fieldset>
    </SchemaDialog>
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
