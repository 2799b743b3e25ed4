import type { EndpointHealth, Webhook, WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { createContext, type ReactNode, use } from "react";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { type EndpointState, needsAttention, stateOf } from "./endpoint-state.ts";

const REFRESH_MS = 30_000;

export interface WatchedEndpoint {
  readonly webhook: Webhook;
  readonly state: EndpointState;
}

export interface Endpoints {
  /** Those in trouble first; undefined until they are loaded. */
  readonly endpoints: readonly WatchedEndpoint[] | undefined;
  readonly loaded: Data<unknown>;
  readonly reload: () => Promise<void>;
}

const EndpointsContext = createContext<Endpoints | undefined>(undefined);

/** The webhooks of the shown organization and how they are doing, for the frame and the pages in it. */
export function EndpointsProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const orgId = useHere().org.id;
  const path = webhooksPath(orgId);
  const loaded = useData(
    path,
    async () => {
      const [{ webhooks }, day] = await Promise.all([
        session.call<{ webhooks: Webhook[] }>(path, { method: "GET", orgId }),
        session.call<WebhookHealth>(`${path}/health?range=day`, { method: "GET", orgId }),
      ]);
      return watched(webhooks, day.endpoints);
    },
    { everyMs: REFRESH_MS, isList: true },
  );
  return (
    <EndpointsContext value={{ endpoints: loaded.data, loaded, reload: loaded.reload }}>
      {children}
    </EndpointsContext>
  );
}

export function useEndpoints(): Endpoints {
  const endpoints = use(EndpointsContext);
  if (!endpoints) throw new Error("there is no EndpointsProvider above");
  return endpoints;
}

/** How many endpoints somebody must look at. */
export function useFailingCount(): number {
  return useEndpoints().endpoints?.filter(({ state }) => needsAttention(state)).length ?? 0;
}

export function webhooksPath(orgId: string): string {
  return `/api/orgs/${orgId}/webhooks`;
}

function watched(webhooks: readonly Webhook[], health: readonly EndpointHealth[]): WatchedEndpoint[] {
  return webhooks
    .map((webhook) => ({
      webhook,
      state: stateOf(
        webhook,
        health.find(({ id }) => id === webhook.id),
      ),
    }))
    .toSorted((a, b) => urgency(a.state) - urgency(b.state));
}

function urgency({ kind }: EndpointState): number {
  const order: EndpointState["kind"][] = ["disabled", "failing"];
  const place = order.indexOf(kind);
  return place === -1 ? order.length : place;
}
