import type { Role } from "@parley/shared/contracts/roles.ts";

interface EmptyWebhooksProps {
  readonly role: Role;
  /** Absent for those who may not. */
  readonly onRegister: (() => void) | undefined;
}

/** What a webhook is for, and the first step to one. */
export function EmptyWebhooks({ role, onRegister }: EmptyWebhooksProps) {
  return (
    <section className="pf-card panel hook-empty">
      <h2>Be told of calls as they happen</h2>
      <p>
        A webhook posts to your server when something happens here: a call starts or ends, somebody said
        something, a recording is ready. Write it into your CRM, send a summary, alert somebody.
      </p>
      <ol>
        <li>
          <strong>Register</strong> an https address of yours, and choose its events.
        </li>
        <li>
          <strong>Keep</strong> the signing secret that is shown once; your server verifies with it that a
          delivery is ours.
        </li>
        <li>
          <strong>Send a test event</strong> and read here what your server answered.
        </li>
      </ol>
      {onRegister ? (
        <button type="button" className="pf-btn pf-btn-primary" onClick={onRegister}>
          Register an endpoint
        </button>
      ) : (
        <p className="pf-muted">
          Owners, admins and developers register endpoints. Your role here is {role}.
        </p>
      )}
    </section>
  );
}
