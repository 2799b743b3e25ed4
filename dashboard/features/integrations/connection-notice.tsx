import type { IntegrationProvider, OrgConnection } from "@parley/shared/contracts/integrations.ts";
import { Icon } from "../../ui/icon.tsx";

interface ConnectionNoticeProps {
  readonly connection: OrgConnection;
  readonly provider: IntegrationProvider;
  readonly mayChange: boolean;
}

/** What is wrong with a connection and what to do; nothing for one that is well. */
export function ConnectionNotice({ connection, provider, mayChange }: ConnectionNoticeProps) {
  const { status, lastError, warnings } = connection;
  if (status === "error") {
    return (
      <section className="hook-failure tone-bad" aria-label="What is wrong">
        <Icon name="alert" />
        <div>
          <p>
            <strong>{provider.name} refused this connection.</strong> {lastError}
          </p>
          <p>
            Agents can’t use it until it works again.
            {mayChange && " Fix it at the vendor and test again, or replace the credentials."}
          </p>
        </div>
      </section>
    );
  }
  if (status === "disconnected") {
    return (
      <section className="hook-failure tone-warn" aria-label="Sign-in not finished">
        <Icon name="waiting" />
        <div>
          <p>
            <strong>Nobody has signed in to {provider.name} yet.</strong> Agents can use the connection once
            somebody has.
          </p>
        </div>
      </section>
    );
  }
  if (warnings.length === 0) return null;
  return (
    <section className="hook-failure tone-warn" aria-label="Warnings">
      <Icon name="alert" />
      <div>
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </div>
    </section>
  );
}
