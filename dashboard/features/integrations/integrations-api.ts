import type {
  CapabilityEntry,
  IntegrationProvider,
  OrgConnection,
} from "@parley/shared/contracts/integrations.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

const REFRESH_MS = 30_000;

/** API path of an organization's connectors and connections. */
export function integrationsPath(orgId: string): string {
  return `/api/orgs/${orgId}/integrations`;
}

/** The catalog of connectors. */
export function useConnectors(): Data<readonly IntegrationProvider[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `${integrationsPath(org.id)}/providers`;
  return useData(
    path,
    async () => {
      const { providers } = await session.call<{ providers: IntegrationProvider[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return providers;
    },
    { isList: true },
  );
}

/** The organization's connections, newest first. */
export function useConnections(): Data<readonly OrgConnection[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `${integrationsPath(org.id)}/connections`;
  return useData(
    path,
    async () => {
      const { connections } = await session.call<{ connections: OrgConnection[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return connections;
    },
    { everyMs: REFRESH_MS, isList: true },
  );
}

/** What agents can do in connected systems. */
export function useCapabilities(): Data<readonly CapabilityEntry[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `${integrationsPath(org.id)}/capabilities`;
  return useData(
    path,
    async () => {
      const { capabilities } = await session.call<{ capabilities: CapabilityEntry[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return capabilities;
    },
    { isList: true },
  );
}
