import { needsAttention } from "@parley/shared/contracts/endpoint-state.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import type { Webhook, WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded, LoadProblem } from "../../ui/loaded.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { endpointColumns } from "./endpoint-columns.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import { RANGE_NAMES, type Range } from "./health-labels.ts";
import { RangeChoice } from "./health-panel.tsx";
import { useEndpoints, webhooksPath } from "./use-endpoints.ts";

const EmptyWebhooks = later(async () => (await import("./empty-webhooks.tsx")).EmptyWebhooks);
const RegisterDialog = later(async () => (await import("./register-dialog.tsx")).RegisterDialog);

const REFRESH_MS = 30_000;

/** The organization's webhook endpoints with their health; those that need attention come first. */
export function WebhooksPage() {
  const session = useSession();
  const { org } = useHere();
  const { endpoints, loaded, reload } = useEndpoints();
  const [range, chooseRange] = useState<Range>("day");
  const [registering, setRegistering] = useState<{ readonly like?: Webhook }>();
  const path = `${webhooksPath(org.id)}/health?range=${range}`;
  const health = useData(path, () => session.call<WebhookHealth>(path, { method: "GET", orgId: org.id }), {
    everyMs: REFRESH_MS,
    isList: true,
  });
  const agents = useAgentNames();
  const columns = useMemo(
    () => endpointColumns({ agents, health: health.data, range }),
    [agents, health.data, range],
  );
  const mayRegister = isAtLeast(org.role, "developer");
  const register = mayRegister ? () => setRegistering({}) : undefined;
  return (
    <AppPage title="Webhooks">
      {endpoints
        ?.filter(({ state }) => needsAttention(state))
        .map((endpoint) => (
          <FailureNotice key={endpoint.webhook.id} endpoint={endpoint} name={endpoint.webhook.url}>
            <Link to="/webhooks/$id" params={{ id: endpoint.webhook.id }}>
              View failed deliveries
            </Link>
            {mayRegister && endpoint.state.kind === "disabled" && (
              <button
                type="button"
                className="pf-btn"
                onClick={() => setRegistering({ like: endpoint.webhook })}
              >
                Re-create
              </button>
            )}
          </FailureNotice>
        ))}
      <Loaded of={loaded}>{() => <LoadProblem of={health} />}</Loaded>
      {endpoints?.length === 0 && <EmptyWebhooks role={org.role} onRegister={register} />}
      {endpoints && endpoints.length > 0 && (
        <>
          <div className="row row-spread">
            <RangeChoice range={range} onChoose={chooseRange} />
            {register ? (
              <button type="button" className="pf-btn pf-btn-primary" onClick={register}>
                Add endpoint
              </button>
            ) : (
              <p className="pf-muted">
                Owners, admins and developers can add endpoints. Your role is {org.role}.
              </p>
            )}
          </div>
          <DataTable
            name="endpoints"
            label={`Endpoints, with figures of the ${RANGE_NAMES[range]}`}
            columns={columns}
            rows={endpoints}
            of={loaded}
            rowId={({ webhook }) => webhook.id}
            readAll="rows"
            empty={null}
          />
        </>
      )}
      {registering && (
        <RegisterDialog
          {...registering}
          onClose={() => setRegistering(undefined)}
          onRegistered={() => Promise.all([reload(), health.reload()])}
        />
      )}
    </AppPage>
  );
}
