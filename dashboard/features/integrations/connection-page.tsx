import type {
  IntegrationProvider,
  OrgConnection,
  Verification,
} from "@parley/shared/contracts/integrations.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useNoticesAgain } from "../../api/use-org-notices.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { Time } from "../../ui/time.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { CredentialsDialog, DeleteConnectionDialog, EditConnectionDialog } from "./connection-dialogs.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { ConnectionStatus } from "./connection-status.tsx";
import { integrationsPath, useConnections, useConnectors } from "./integrations-api.ts";
import { Logo } from "./logo.tsx";
import { RecentRuns } from "./recent-runs.tsx";
import { UsedBy } from "./used-by.tsx";

/** One connected account: its status and actions. */
export function ConnectionPage() {
  const { id } = useParams({ from: "/organization/integrations/connections/$id" });
  const connections = useConnections();
  const again = useNoticesAgain();
  const reload = async (): Promise<void> => void (await Promise.all([connections.reload(), again()]));
  const connectors = useConnectors();
  const connection = connections.data?.find((one) => one.id === id);
  const provider = connectors.data?.find(({ providerId }) => providerId === connection?.providerId);
  return (
    <>
      <Link to="/integrations" className="back-link">
        <Icon name="back" /> Connections
      </Link>
      {connection && provider && (
        <KnownConnection key={id} connection={connection} provider={provider} reload={reload} />
      )}
      {connections.data && connectors.data && !(connection && provider) && (
        <AppPage title="Connection">
          <p>This connection doesn’t exist or was deleted.</p>
        </AppPage>
      )}
      <Loaded of={connections}>{() => <Loaded of={connectors}>{() => null}</Loaded>}</Loaded>
    </>
  );
}

type Open = "none" | "edit" | "credentials" | "delete";

interface KnownConnectionProps {
  readonly connection: OrgConnection;
  readonly provider: IntegrationProvider;
  readonly reload: () => Promise<void>;
}

function KnownConnection({ connection, provider, reload }: KnownConnectionProps) {
  const { org } = useHere();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [open, setOpen] = useState<Open>("none");
  const [news, setNews] = useState<string | undefined>(
    params.has("new") && connection.status === "active" ? `${connection.label} is connected.` : undefined,
  );
  const mayChange = isAtLeast(org.role, "developer");
  const test = useTest(connection, provider, { setNews, reload });
  const show = (next: Open): void => {
    setNews(undefined);
    setOpen(next);
  };
  const about = {
    connection,
    provider,
    onClose: () => setOpen("none"),
    onDone: async (said: string) => {
      setNews(said);
      await reload();
    },
  };
  return (
    <AppPage title={connection.label}>
      <div className="row row-spread">
        <p className="row">
          <Logo name={provider.name} />
          <ConnectionStatus status={connection.status} isWarned={connection.warnings.length > 0} />
        </p>
        {mayChange && (
          <Actions
            isTesting={test.isBusy}
            hasCredentials={provider.connect.credentials.length > 0}
            onTest={() => void test.run()}
            onOpen={show}
          />
        )}
      </div>
      <ConnectionNotice connection={connection} provider={provider} mayChange={mayChange} reload={reload} />
      {news && <Success>{news}</Success>}
      {test.problem && <Problem>{test.problem}</Problem>}
      <Facts connection={connection} provider={provider} />
      <UsedBy connection={connection} provider={provider} />
      <RecentRuns id={connection.id} />
      {open === "edit" && <EditConnectionDialog {...about} />}
      {open === "credentials" && <CredentialsDialog {...about} />}
      {open === "delete" && (
        <DeleteConnectionDialog
          {...about}
          onDone={async () => {
            void navigate({ to: "/integrations" });
            await reload();
          }}
        />
      )}
    </AppPage>
  );
}

interface ActionsProps {
  readonly isTesting: boolean;
  readonly hasCredentials: boolean;
  readonly onTest: () => void;
  readonly onOpen: (open: Open) => void;
}

function Actions({ isTesting, hasCredentials, onTest, onOpen }: ActionsProps) {
  return (
    <div className="row hook-actions">
      <button type="button" className="pf-btn" aria-disabled={isTesting} onClick={onTest}>
        {isTesting ? "Testing…" : "Test"}
      </button>
      <button type="button" className="pf-btn" onClick={() => onOpen("edit")}>
        Edit
      </button>
      {hasCredentials && (
        <button type="button" className="pf-btn" onClick={() => onOpen("credentials")}>
          Replace credentials
        </button>
      )}
      <button type="button" className="pf-btn" onClick={() => onOpen("delete")}>
        Delete
      </button>
    </div>
  );
}

/** Asks the vendor again. A refusal is stored and shown on the connection. */
function useTest(
  { id }: OrgConnection,
  { name }: IntegrationProvider,
  then: { readonly setNews: (said: string | undefined) => void; readonly reload: () => Promise<void> },
) {
  const session = useSession();
  const { org } = useHere();
  return useSubmit(async () => {
    then.setNews(undefined);
    const path = `${integrationsPath(org.id)}/connections/${id}/test`;
    const { ok, warnings } = await session.call<Verification>(path, { orgId: org.id });
    if (ok)
      then.setNews(warnings.length === 0 ? `${name} accepts it.` : `${name} accepts it, with a warning.`);
    await then.reload();
  });
}

function Facts({ connection, provider }: Omit<KnownConnectionProps, "reload">) {
  const { settings, credentials, verifiedAt, createdAt } = connection;
  const { connect } = provider;
  const entered = [
    ...connect.credentials.map(({ key, label }) => [label, credentials[key]] as const),
    ...connect.settings.map(({ key, label }) => [label, settings[key]] as const),
  ].filter(([, value]) => value !== undefined && value !== "");
  return (
    <section className="pf-card panel" aria-labelledby="facts-title">
      <h2 id="facts-title">Account</h2>
      <dl className="hook-facts connection-facts">
        <Fact name="Connector">{provider.name}</Fact>
        {settings.account && <Fact name="Account">{settings.account}</Fact>}
        {entered.map(([label, value]) => (
          <Fact key={label} name={label}>
            {value}
          </Fact>
        ))}
        <Fact name="Last checked">{verifiedAt === null ? "Never" : <Time at={verifiedAt} />}</Fact>
        <Fact name="Connected">
          <Time at={createdAt} />
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
