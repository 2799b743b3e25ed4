import type { CarrierConnection } from "@parley/shared/contracts/carrier-connections.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** The path of the organization's accounts at carriers. */
export function useCarriersPath(): string {
  return `/api/orgs/${useHere().org.id}/carriers`;
}

/** The organization's accounts at carriers, which only owners and admins may see. */
export function useCarriers(): Data<readonly CarrierConnection[]> {
  const session = useSession();
  const { id: orgId } = useHere().org;
  const path = useCarriersPath();
  return useData(path, async () => {
    const { carriers } = await session.call<{ carriers: CarrierConnection[] }>(path, {
      method: "GET",
      orgId,
    });
    return carriers;
  });
}
