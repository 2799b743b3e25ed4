import type { OperatedOrganizations, PriceShown, TransferShown } from "@parley/shared/contracts/operator.ts";
import { useData } from "../../api/use-data.ts";
import { useSession } from "../../api/use-session.ts";

const LOOK_MS = 60_000;

function useOperated<T>(path: string, isList = false) {
  const session = useSession();
  return useData(path, () => session.call<T>(path, { method: "GET" }), { everyMs: LOOK_MS, isList });
}

/** The price list, by metric, vendor and time. */
export const usePrices = () =>
  useOperated<{ readonly prices: readonly PriceShown[] }>("/api/operator/prices");
/** Organizations whose name matches the words; the page that follows the id `after`. */
export const useOrganizations = (search: string, after: string) =>
  useOperated<OperatedOrganizations>(
    `/api/operator/organizations?${new URLSearchParams({ search, ...(after && { after }) })}`,
    true,
  );
/** Announced bank transfers. */
export const useTransfers = () =>
  useOperated<{ readonly transfers: readonly TransferShown[] }>("/api/operator/transfers");
