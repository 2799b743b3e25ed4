import type { ConnectionResult, IntegrationProvider } from "@parley/shared/contracts/integrations.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { useFieldFaults } from "../../ui/use-field-faults.ts";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { CredentialFields, enteredValues, fieldNames, SettingFields } from "./account-fields.tsx";
import { integrationsPath, useConnectors } from "./integrations-api.ts";
import { Logo } from "./logo.tsx";

/** Connects an account of one connector. */
export function ConnectPage() {
  const { id: providerId } = useParams({ from: "/organization/integrations/catalog/$id" });
  const loaded = useConnectors();
  const provider = loaded.data?.find((one) => one.providerId === providerId);
  return (
    <>
      <Link to="/integrations/catalog" className="back-link">
        <Icon name="back" /> Catalog
      </Link>
      {provider && (
        <AppPage title={`Connect ${provider.name}`}>
          <AboutConnector provider={provider} />
          <ConnectForm provider={provider} />
        </AppPage>
      )}
      {!provider && loaded.data && (
        <AppPage title="Connector not found">
          <p>
            There is no connector “{providerId}”. <Link to="/integrations/catalog">Browse catalog</Link>.
          </p>
        </AppPage>
      )}
      <Loaded of={loaded}>{() => null}</Loaded>
    </>
  );
}

function AboutConnector({
  provider: { name, description, docsUrl, capabilities },
}: {
  readonly provider: IntegrationProvider;
}) {
  return (
    <section className="pf-card panel" aria-label={`About ${name}`}>
      <div className="connector-head">
        <Logo name={name} />
        <p>{description}</p>
      </div>
      <h2>What agents can do with it</h2>
      <ul className="capability-list">
        {capabilities.map(({ capability, name: title, description: about }) => (
          <li key={capability}>
            <strong>{title}</strong>
            <span className="pf-muted"> {about}</span>
          </li>
        ))}
      </ul>
      {docsUrl !== "" && (
        <p>
          <a href={docsUrl} target="_blank" rel="noreferrer">
            {name} documentation
            <span className="only-heard"> (opens a new tab)</span>
          </a>
        </p>
      )}
    </section>
  );
}

function ConnectForm({ provider }: { readonly provider: IntegrationProvider }) {
  const { org } = useHere();
  const { name, connect } = provider;
  const { faults, attempt } = useFieldFaults(fieldNames(connect));
  const [taken, setTaken] = useState<string>();
  const create = useCreate(provider);
  const submit = useSubmit((fields) =>
    attempt(async () => {
      setTaken(undefined);
      await create(fields, setTaken);
    }),
  );
  if (!isAtLeast(org.role, "developer"))
    return <p>Owners, admins and developers can connect accounts. Your role is {org.role}.</p>;
  return (
    <section className="pf-card panel" aria-label="Account">
      <form className="stack connect-form" onSubmit={submit.onSubmit} aria-busy={submit.isBusy}>
        <Field
          label="Name (optional)"
          name="label"
          maxLength={120}
          placeholder={name}
          autoComplete="off"
          hint="Tells accounts apart if you connect more than one."
          fault={faults.label}
        />
        <CredentialFields connect={connect} faults={faults} signInTo={name} />
        <SettingFields settings={connect.settings} faults={faults} />
        {connect.credentials.length > 0 && (
          <p className="pf-muted">
            Credentials are stored encrypted. Nobody can read them back, and agents never see them.
          </p>
        )}
        {submit.problem && taken === undefined && <Problem>{submit.problem}</Problem>}
        {taken !== undefined && (
          <Problem>
            This {name} account is already connected.{" "}
            <Link to="/integrations/connections/$id" params={{ id: taken }}>
              Open connection
            </Link>{" "}
            to change it.
          </Problem>
        )}
        <div className="row">
          <button type="submit" className="pf-btn pf-btn-primary" aria-disabled={submit.isBusy}>
            {submit.isBusy ? `Asking ${name}…` : "Connect"}
          </button>
        </div>
      </form>
    </section>
  );
}

/** Creates the connection and shows it; `onTaken` receives the connection that already has the account. */
function useCreate(provider: IntegrationProvider) {
  const session = useSession();
  const { org } = useHere();
  const navigate = useNavigate();
  // Sending the same form twice creates one connection; a changed form is a new request.
  const sent = useRef({ text: "", key: "" });
  return async (fields: FormData, onTaken: (connectionId: string) => void): Promise<void> => {
    const body = {
      providerId: provider.providerId,
      label: textOf(fields, "label"),
      credentials: enteredValues(fields, "credentials"),
      settings: enteredValues(fields, "settings"),
    };
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    const headers = { "idempotency-key": sent.current.key };
    const path = `${integrationsPath(org.id)}/connections`;
    try {
      const { connection } = await session.call<ConnectionResult>(path, { orgId: org.id, body, headers });
      void navigate({
        to: "/integrations/connections/$id",
        params: { id: connection.id },
        search: { new: "" },
      });
    } catch (error) {
      const taken = error instanceof ApiError ? error.details.connectionId : undefined;
      if (typeof taken === "string") onTaken(taken);
      throw error;
    }
  };
}
