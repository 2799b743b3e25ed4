import type { Campaign, CampaignProgress, Target, TargetsAdded } from "@parley/shared/contracts/campaigns.ts";
import type { DncNumber } from "@parley/shared/contracts/do-not-call.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** Polling interval while a campaign runs. */
export const RUNNING_MS = 2_000;
/** How many targets a page shows at once. */
export const TARGETS_SHOWN = 100;
const EXPORTED_AT_ONCE = 500;

/** Sends requests under the organization's address. */
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
  /** The first targets that match the filter. */
  readonly targets: readonly Target[];
}

/** A campaign with its progress, polled while it runs or one of its calls does; `query` selects targets. */
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

/** All targets of a campaign, loaded page by page. */
export async function allTargets(get: ReturnType<typeof useOrgCall>["get"], path: string): Promise<Target[]> {
  const all: Target[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? "" : `&after=${last.id}`;
    const page = `${path}/targets?limit=${EXPORTED_AT_ONCE}${after}`;
    const { targets } = await get<{ targets: Target[] }>(page);
    all.push(...targets);
    if (targets.length < EXPORTED_AT_ONCE) return all;
  }
}

interface DncPage {
  readonly numbers: readonly DncNumber[];
  readonly total: number;
}

/** How many numbers a page of the do-not-call list shows. */
const NUMBERS_SHOWN = 100;

/** A page of the do-not-call list: the numbers after `before`, or the newest. */
export function useDoNotCall(search: string, before: string): Data<DncPage> {
  const { base, get } = useOrgCall();
  const path = dncPath({ search, before, limit: NUMBERS_SHOWN });
  return useData(base + path, () => get<DncPage>(path), { isList: true });
}

/** Cursor of the page after these numbers; null after the last one. */
export function nextNumber(numbers: readonly DncNumber[]): string | null {
  return numbers.length < NUMBERS_SHOWN ? null : (numbers.at(-1)?.number ?? null);
}

/** The whole do-not-call list, page by page. */
export async function* allDoNotCall(
  get: ReturnType<typeof useOrgCall>["get"],
  search: string,
): AsyncGenerator<readonly DncNumber[]> {
  for (let before = ""; ; ) {
    const { numbers } = await get<DncPage>(dncPath({ search, before, limit: EXPORTED_AT_ONCE }));
    yield numbers;
    before = numbers.at(-1)?.number ?? "";
    if (numbers.length < EXPORTED_AT_ONCE) return;
  }
}

function dncPath({ search, before, limit }: { search: string; before: string; limit: number }): string {
  const query = new URLSearchParams({ limit: String(limit) });
  if (search !== "") query.set("search", search);
  if (before !== "") query.set("before", before);
  return `/dnc?${query}`;
}

type Added = Pick<TargetsAdded, "added" | "duplicates" | "refused"> &
  Partial<Pick<TargetsAdded, "doNotCall">>;

/** Summarizes an import in a sentence. */
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
