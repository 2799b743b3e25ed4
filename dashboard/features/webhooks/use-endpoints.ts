import { type EndpointState, stateOf } from "@parley/shared/contracts/endpoint-state.ts";
import type { EndpointHealth, Webhook, WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { useCallback } from "react";
import { type Data, useData } from "../../api/use-data.ts";
import { useNoticesAgain } from "../../api/use-org-notices.ts";
import { useHere, useSession } from "../../api/use-session.ts";

const REFRESH_MS = 30_000;

export interface WatchedEndpoint {
  readonly webhook: Webhook;
  readonly state: EndpointState;
}

export interface Endpoints {
  /** Endpoints in trouble first; undefined until loaded. */
  readonly endpoints: readonly WatchedEndpoint[] | undefined;
  readonly loaded: Data<unknown>;
  /** After a change of an endpoint: what the bell says of it may be past, too. */
  readonly reload: () => Promise<void>;
}

/** The shown organization's webhooks and their health. */
export function useEndpoints(): Endpoints {
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
  const again = useNoticesAgain();
  const { reload } = loaded;
  const reloadAll = useCallback(async () => void (await Promise.all([reload(), again()])), [reload, again]);
  return { endpoints: loaded.data, loaded, reload: reloadAll };
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
