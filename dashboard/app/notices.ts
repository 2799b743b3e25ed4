import type { LinkProps } from "@tanstack/react-router";
import { useConnections } from "../features/integrations/integrations-api.ts";
import { type EndpointState, needsAttention } from "../features/webhooks/endpoint-state.ts";
import { useEndpoints } from "../features/webhooks/use-endpoints.tsx";

/** Something that somebody must look at, and where. */
export interface Notice {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly link: Pick<LinkProps, "to" | "params">;
}

/** What does not work in the shown organization. A district that can fail adds its part here. */
export function useNotices(): readonly Notice[] {
  const { endpoints = [] } = useEndpoints();
  const { data: connections = [] } = useConnections();
  return [
    ...endpoints.flatMap(({ webhook, state }) =>
      needsAttention(state)
        ? [
            {
              key: webhook.id,
              title: `Webhook: ${hostOf(webhook.url)}`,
              text: endpointText(state),
              link: { to: "/webhooks/$id", params: { id: webhook.id } },
            } as const,
          ]
        : [],
    ),
    ...connections
      .filter(({ status }) => status === "error")
      .map(
        ({ id, label, lastError }) =>
          ({
            key: id,
            title: `Integration: ${label}`,
            text: lastError ?? "The connection does not work.",
            link: { to: "/integrations/connections/$id", params: { id } },
          }) as const,
      ),
  ];
}

function endpointText(state: Extract<EndpointState, { kind: "failing" | "disabled" }>): string {
  return state.kind === "disabled"
    ? `Disabled: ${state.reason}`
    : `${state.missed} of ${state.tried} deliveries failed lately.`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
