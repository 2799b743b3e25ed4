import type { Campaign, CampaignProgress, Target, TargetsAdded } from "@parley/shared/contracts/campaigns.ts";
import type { DncNumber } from "@parley/shared/contracts/do-not-call.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** How often a page looks while a campaign runs. */
const RUNNING_MS = 2_000;
/** What a page shows of targets at once. */
export const TARGETS_SHOWN = 100;
const EXPORTED_AT_ONCE = 500;

/** Requests below the organization's address. */
export function useOrgCall() {
  const session = useSession();
  const { org } = useHere();
  const base = `/api/orgs/${org.id}`;
  const get = <T>(path: string): Promise<T> => session.call<T>(base + path, { method: "GET", orgId: org.id });
  const send = <T>(method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T> =>
    session.call<T>(base + path, { method, orgId: org.id, ...(body === undefined ? {} : { body }) });
  return { base, get, send };
}

export function useCampaigns(): Data<readonly Campaign[]> {
  const { base, get } = useOrgCall();
  return useData(
    `${base}/campaigns`,
    async () => (await get<{ campaigns: Campaign[] }>("/campaigns?limit=100")).campaigns,
    {
      isList: true,
      everyMs: (campaigns) => (campaigns.some(({ status }) => status === "running") ? RUNNING_MS : undefined),
    },
  );
}

export interface CampaignView {
  readonly campaign: Campaign;
  readonly progress: CampaignProgress;
  /** The first ones of the chosen kind. */
  readonly targets: readonly Target[];
}

/** A campaign with how it goes, looked at again while it runs or a call of it does; `query` chooses targets. */
export function useCampaign(id: string, query: string): Data<CampaignView> {
  const { base, get } = useOrgCall();
  const path = `/campaigns/${id}`;
  return useData(
    `${base}${path} ${query}`,
    async () => {
      const [campaign, progress, { targets }] = await Promise.all([
        get<Campaign>(path),
        get<CampaignProgress>(`${path}/progress`),
        get<{ targets: Target[] }>(`${path}/targets?limit=${TARGETS_SHOWN}${query}`),
      ]);
      return { campaign, progress, targets };
    },
    {
      isList: true,
      everyMs: ({ campaign, progress }) =>
        campaign.status === "running" || progress.live > 0 ? RUNNING_MS : undefined,
    },
  );
}

/** All targets of a campaign, page by page. */
export async function allTargets(
  get: ReturnType<typeof useOrgCall>["get"],
  campaignId: string,
): Promise<Target[]> {
  const all: Target[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? "" : `&after=${last.id}`;
    const path = `/campaigns/${campaignId}/targets?limit=${EXPORTED_AT_ONCE}${after}`;
    const { targets } = await get<{ targets: Target[] }>(path);
    all.push(...targets);
    if (targets.length < EXPORTED_AT_ONCE) return all;
  }
}

export interface DncPage {
  readonly numbers: readonly DncNumber[];
  readonly total: number;
}

export function useDoNotCall(search: string): Data<DncPage> {
  const { base, get } = useOrgCall();
  const path = `/dnc?${new URLSearchParams({ limit: "100", ...(search === "" ? {} : { search }) })}`;
  return useData(base + path, () => get<DncPage>(path), { isList: true });
}

type Added = Pick<TargetsAdded, "added" | "duplicates" | "refused"> &
  Partial<Pick<TargetsAdded, "doNotCall">>;

/** What an import did, in a sentence. */
export function addedText({ added, duplicates, refused, doNotCall = 0 }: Added): string {
  const wrong = refused.find(({ why }) => !why.includes("already"));
  const parts = [
    `Added ${added}`,
    ...(duplicates > 0 ? [`${duplicates} were there already`] : []),
    ...(doNotCall > 0 ? [`${doNotCall} of them are on the do-not-call list`] : []),
    ...(wrong ? [`row ${wrong.row} (${wrong.value}) and rows like it were not taken: ${wrong.why}`] : []),
  ];
  return `${parts.join("; ")}.`;
}
