import { useOrgNotices } from "../../api/use-org-notices.ts";

/** How many endpoints need attention. */
export function useFailingCount(): number {
  const { data = [] } = useOrgNotices();
  return data.filter(({ kind }) => kind === "webhook_disabled" || kind === "webhook_failing").length;
}
