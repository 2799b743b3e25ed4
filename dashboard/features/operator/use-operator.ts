import type {
  OperatedOrganization,
  OperatedOrganizations,
  PriceShown,
  TransferShown,
} from "@parley/shared/contracts/operator.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useSession } from "../../api/use-session.ts";
import type { ReadAll } from "../../ui/table/export-button.tsx";

const LOOK_MS = 60_000;

function useOperated<T>(path: string): Data<T> {
  const session = useSession();
  return useData(path, () => session.call<T>(path, { method: "GET" }), { everyMs: LOOK_MS, isList: true });
}

/** The price list, by metric, vendor and time. */
export const usePrices = () =>
  useOperated<{ readonly prices: readonly PriceShown[] }>("/api/operator/prices");
/** Organizations whose name matches the words; the page that follows the id `after`. */
export const useOrganizations = (search: string, after: string) =>
  useOperated<OperatedOrganizations>(organizationsPath(search, after));
/** Announced bank transfers. */
export const useTransfers = () =>
  useOperated<{ readonly transfers: readonly TransferShown[] }>("/api/operator/transfers");

/** Reads all organizations whose name matches the words. */
export function useReadOrganizations(search: string): ReadAll<OperatedOrganization> {
  const session = useSession();
  return async function* () {
    for (let after: string | null = ""; after !== null; ) {
      const path = organizationsPath(search, after);
      const page: OperatedOrganizations = await session.call(path, { method: "GET" });
      yield page.organizations;
      after = page.next;
    }
  };
}

function organizationsPath(search: string, after: string): string {
  return `/api/operator/organizations?${new URLSearchParams({ search, ...(after && { after }) })}`;
}
