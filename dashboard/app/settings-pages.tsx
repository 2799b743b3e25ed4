import { Redirect, Route, Switch } from "wouter";
import { AgentPage } from "../features/agents/agent-page.tsx";
import { AgentsPage } from "../features/agents/agents-page.tsx";
import { CallPage } from "../features/calls/call-page.tsx";
import { CallsPage } from "../features/calls/calls-page.tsx";
import { CatalogPage } from "../features/integrations/catalog-page.tsx";
import { ConnectPage } from "../features/integrations/connect-page.tsx";
import { ConnectionPage } from "../features/integrations/connection-page.tsx";
import { ConnectionsPage } from "../features/integrations/connections-page.tsx";
import { LivePage } from "../features/live/live-page.tsx";
import { NumbersPage } from "../features/numbers/numbers-page.tsx";
import { AuditPage } from "../features/settings/audit-page.tsx";
import { DataPage } from "../features/settings/data-page.tsx";
import { KeysPage } from "../features/settings/keys-page.tsx";
import { MembersPage } from "../features/settings/members-page.tsx";
import { SecurityPage } from "../features/settings/security-page.tsx";
import { SoftphonePage } from "../features/softphone/softphone-page.tsx";
import { TracksPage } from "../features/tracks/tracks-page.tsx";
import { EndpointPage } from "../features/webhooks/endpoint-page.tsx";
import { WebhooksPage } from "../features/webhooks/webhooks-page.tsx";

/** The page of each address under /settings. */
export function SettingsPages() {
  return (
    <Switch>
      <Route path="/softphone" component={SoftphonePage} />
      <Route path="/agents" component={AgentsPage} />
      <Route path="/agents/:id/:section?">
        {({ id, section }) => <AgentPage key={id} id={id} section={section} />}
      </Route>
      <Route path="/integrations" component={ConnectionsPage} />
      <Route path="/integrations/catalog" component={CatalogPage} />
      <Route path="/integrations/catalog/:id">{({ id }) => <ConnectPage key={id} providerId={id} />}</Route>
      <Route path="/integrations/connections/:id">{({ id }) => <ConnectionPage id={id} />}</Route>
      <Route path="/numbers" component={NumbersPage} />
      <Route path="/live" component={LivePage} />
      <Route path="/calls" component={CallsPage} />
      <Route path="/calls/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
      <Route path="/tracks" component={TracksPage} />
      <Route path="/keys" component={KeysPage} />
      <Route path="/webhooks" component={WebhooksPage} />
      <Route path="/webhooks/:id">{({ id }) => <EndpointPage id={id} />}</Route>
      <Route path="/members" component={MembersPage} />
      <Route path="/data" component={DataPage} />
      <Route path="/audit" component={AuditPage} />
      <Route path="/security" component={SecurityPage} />
      <Route>
        <Redirect to="/keys" replace />
      </Route>
    </Switch>
  );
}
