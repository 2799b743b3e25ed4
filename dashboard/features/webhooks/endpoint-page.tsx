import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import type { WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Loaded, LoadProblem, Skeleton } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { StateBadge } from "./badges.tsx";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { EndpointFacts } from "./endpoint-facts.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import type { Range } from "./health-labels.ts";
import { HealthPanel } from "./health-panel.tsx";
import { useEndpoints, type WatchedEndpoint, webhooksPath } from "./use-endpoints.ts";

const TestDialog = later(async () => (await import("./change-dialogs.tsx")).TestDialog);
const ReplayDialog = later(async () => (await import("./change-dialogs.tsx")).ReplayDialog);
const DeleteDialog = later(async () => (await import("./change-dialogs.tsx")).DeleteDialog);
/** At the foot of the page, with tabs that nothing else on it has. */
const VerifyGuide = later(async () => (await import("./verify-guide.tsx")).VerifyGuide, Skeleton);
const RegisterDialog = later(async () => (await import("./register-dialog.tsx")).RegisterDialog);

/** One webhook endpoint: its health, and every delivery to it. */
export function EndpointPage() {
  const { id } = useParams({ from: "/organization/webhooks/$id" });
  const { endpoints, loaded } = useEndpoints();
  const endpoint = endpoints?.find(({ webhook }) => webhook.id === id);
  const title = endpoint?.webhook.url ?? "Webhook";
  return (
    <>
      <Link to="/webhooks" className="back-link">
        <Icon name="back" /> Webhooks
      </Link>
      {/* The heading takes the focus once per page, not for each of its states. */}
      {endpoint && <KnownEndpoint key={id} endpoint={endpoint} />}
      {!endpoint && endpoints && (
        <AppPage title={title}>
          <p>This endpoint doesn’t exist or was deleted.</p>
        </AppPage>
      )}
      <Loaded of={loaded}>{() => null}</Loaded>
    </>
  );
}

type Open = "none" | "test" | "replay" | "delete" | "register";

function KnownEndpoint({ endpoint }: { readonly endpoint: WatchedEndpoint }) {
  const { webhook, state } = endpoint;
  const session = useSession();
  const { org } = useHere();
  const navigate = useNavigate();
  const { reload } = useEndpoints();
  const [range, chooseRange] = useState<Range>("day");
  const [open, setOpen] = useState<Open>("none");
  const [news, setNews] = useState<string>();
  const [round, setRound] = useState(0);
  const path = `${webhooksPath(org.id)}/health?range=${range}`;
  const health = useData(path, () => session.call<WebhookHealth>(path, { method: "GET", orgId: org.id }), {
    isList: true,
  });
  const refresh = async (): Promise<void> => {
    await Promise.all([reload(), health.reload()]);
  };
  const close = (): void => setOpen("none");
  const tell = async (said: string): Promise<void> => {
    setNews(said);
    setRound(round + 1);
    close();
    await refresh();
  };
  const mayChange = isAtLeast(org.role, "developer");
  const maySend = mayChange && webhook.enabled;
  return (
    <AppPage title={webhook.url}>
      <div className="row row-spread">
        <StateBadge kind={state.kind} />
        <div className="row hook-actions">
          {maySend && (
            <>
              <button type="button" className="pf-btn" onClick={() => setOpen("test")}>
                Send test event
              </button>
              <button type="button" className="pf-btn" onClick={() => setOpen("replay")}>
                Replay events
              </button>
            </>
          )}
          {isAtLeast(org.role, "admin") && (
            <button type="button" className="pf-btn" onClick={() => setOpen("delete")}>
              Delete
            </button>
          )}
        </div>
      </div>
      <FailureNotice endpoint={endpoint} name="This endpoint">
        {mayChange && state.kind === "disabled" && (
          <button type="button" className="pf-btn" onClick={() => setOpen("register")}>
            Re-create
          </button>
        )}
      </FailureNotice>
      {news && <Success>{news}</Success>}
      <LoadProblem of={health} />
      <EndpointFacts webhook={webhook} />
      <HealthPanel id={webhook.id} health={health.data} range={range} onChoose={chooseRange} />
      <DeliveriesPanel
        webhook={webhook}
        round={round}
        onChanged={refresh}
        onTest={maySend ? () => setOpen("test") : undefined}
      />
      <section className="pf-card panel" aria-labelledby="verify-title">
        <h2 id="verify-title">Verify deliveries</h2>
        <VerifyGuide />
      </section>
      {open === "test" && <TestDialog webhook={webhook} onClose={close} onDone={tell} />}
      {open === "replay" && <ReplayDialog endpoint={endpoint} onClose={close} onDone={tell} />}
      {open === "delete" && (
        <DeleteDialog
          webhook={webhook}
          onClose={close}
          onDone={async () => {
            void navigate({ to: "/webhooks" });
            await reload();
          }}
        />
      )}
      {open === "register" && <RegisterDialog like={webhook} onClose={close} onRegistered={reload} />}
    </AppPage>
  );
}
