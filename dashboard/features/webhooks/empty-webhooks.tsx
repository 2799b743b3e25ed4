import type { Role } from "@parley/shared/contracts/roles.ts";
import { ListenHint } from "./listen-hint.tsx";

interface EmptyWebhooksProps {
  readonly role: Role;
  /** Absent for people who may not register one. */
  readonly onRegister: (() => void) | undefined;
}

/** What a webhook is for, and the first step to one. */
export function EmptyWebhooks({ role, onRegister }: EmptyWebhooksProps) {
  return (
    <section className="pf-card panel hook-empty">
      <h2>Get notified about call events</h2>
      <p>
        Parley posts to your server when a call starts or ends, when something is said, or when a recording is
        ready. Use it to update your CRM, send a summary or alert your team.
      </p>
      <ol>
        <li>
          <strong>Add an endpoint</strong> with an https URL and choose its events.
        </li>
        <li>
          <strong>Save the signing secret.</strong> Your server uses it to verify each delivery.
        </li>
        <li>
          <strong>Send a test event</strong> and see how your server responded.
        </li>
      </ol>
      {onRegister ? (
        <>
          <button type="button" className="pf-btn pf-btn-primary" onClick={onRegister}>
            Add endpoint
          </button>
          <h3>No public URL yet?</h3>
          <ListenHint />
        </>
      ) : (
        <p className="pf-muted">Owners, admins and developers can add endpoints. Your role is {role}.</p>
      )}
    </section>
  );
}
