import type {
  Authorization,
  IntegrationProvider,
  OrgConnection,
} from "@parley/shared/contracts/integrations.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { ConsentPanel } from "./consent-panel.tsx";
import { integrationsPath } from "./integrations-api.ts";
import { useConsent } from "./use-consent.ts";

interface ConnectionNoticeProps {
  readonly connection: OrgConnection;
  readonly provider: IntegrationProvider;
  readonly mayChange: boolean;
  readonly reload: () => Promise<void>;
}

/** What is wrong with a connection and how to fix it; renders nothing for a healthy one. */
export function ConnectionNotice(props: ConnectionNoticeProps) {
  const { connection, provider, mayChange } = props;
  const { status, lastError, warnings } = connection;
  const isByConsent = provider.connect.consent && Object.keys(connection.credentials).length === 0;
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
            {mayChange && !isByConsent && " Fix it at the vendor and test again, or replace the credentials."}
          </p>
          {mayChange && isByConsent && <SignIn {...props} does="Sign in again" />}
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
            someone does.
          </p>
          {mayChange && <SignIn {...props} does={`Sign in to ${provider.name}`} />}
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

function SignIn({ connection, provider, reload, does }: ConnectionNoticeProps & { readonly does: string }) {
  const session = useSession();
  const { org } = useHere();
  const path = `${integrationsPath(org.id)}/connections/${connection.id}`;
  const of = { orgId: org.id };
  const consent = useConsent({
    begin: async () => (await session.call<Authorization>(`${path}/authorize`, of)).authorizeUrl,
    isDone: async () => {
      const now = await session.call<OrgConnection>(path, { ...of, method: "GET" });
      // A refusal by the vendor also appears on the connection.
      return now.status === "active" || now.lastError !== connection.lastError;
    },
    onDone: reload,
  });
  return <ConsentPanel consent={consent} name={provider.name} does={does} />;
}
