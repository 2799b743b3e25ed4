import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/egress.ts";
import type { Database } from "../../database/open.ts";
import { GonePage, UnreadableDocument } from "../reading/document.ts";
import { type FetchedPage, fetchAnswer, fetchPage, type PageRequest } from "../reading/fetch-page.ts";
import { parseRobots, type RobotRules } from "./robots.ts";
import { crawlToFollow, keepSite } from "./store.ts";

export interface CrawlingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly dispatchers: Dispatchers;
}

/** RFC 9309: at most a day. */
const ROBOTS_FRESH_MS = 24 * 3_600_000;
const ROBOTS_MAX_CHARS = 512 * 1024;

export interface CrawledPage extends FetchedPage {
  readonly rules: RobotRules;
}

interface Wanted {
  readonly url: string;
  readonly crawlId: string;
  readonly orgId: string;
  /** 0 for the crawl's first page, which determines the site. */
  readonly depth: number;
}

/**
 * Fetches a page of a crawl: it must be on the crawl's site and allowed by robots.txt, after every redirect. Throws
 * `GonePage` if that no longer holds, else what `fetchPage` throws.
 */
export async function fetchCrawled(
  { url, crawlId, orgId, depth }: Wanted,
  signal: AbortSignal,
  deps: CrawlingDeps,
): Promise<CrawledPage | undefined> {
  const crawl = await crawlToFollow(deps.database.db, crawlId);
  if (!crawl) return undefined;
  const request = { dispatchers: deps.dispatchers, orgId, signal };
  let known = knownRules(crawl, deps.clock);
  const rulesOf = async (origin: string): Promise<RobotRules> => {
    if (known?.site !== origin) {
      const robots = await fetchRobots(origin, request);
      known = { site: origin, robots, rules: parseRobots(robots), isNew: true };
    }
    return known.rules;
  };
  const allows = async (to: URL): Promise<void> => {
    if (depth > 0 && to.origin !== crawl.site) throw new GonePage("The page is of another site now.");
    if ((await rulesOf(to.origin)).allows(to.pathname + to.search)) return;
    const why = "The site's robots.txt does not allow reading this page.";
    throw depth > 0 ? new GonePage(why) : new UnreadableDocument(why);
  };
  const page = await fetchPage(url, { ...request, allows });
  const rules = await rulesOf(new URL(page.url).origin);
  if (known?.isNew) {
    const at = new Date(deps.clock.wallMs());
    await keepSite(deps.database.db, crawlId, { site: known.site, robots: known.robots, at });
  }
  return { ...page, rules };
}

interface Known {
  readonly site: string;
  readonly robots: string;
  readonly rules: RobotRules;
  readonly isNew: boolean;
}

function knownRules(
  { site, robots, robotsAt }: { site: string | null; robots: string | null; robotsAt: Date | null },
  clock: Clock,
): Known | undefined {
  if (site === null || robots === null || robotsAt === null) return undefined;
  if (clock.wallMs() - robotsAt.getTime() > ROBOTS_FRESH_MS) return undefined;
  return { site, robots, rules: parseRobots(robots), isNew: false };
}

/** Without a robots.txt all is allowed; while the server fails, nothing is (RFC 9309, 2.3.1). */
async function fetchRobots(origin: string, request: PageRequest): Promise<string> {
  const { answer } = await fetchAnswer(`${origin}/robots.txt`, request);
  if (answer.ok) return (await answer.text()).slice(0, ROBOTS_MAX_CHARS);
  await answer.body?.cancel();
  if (answer.status >= 400 && answer.status < 500) return "";
  throw new AppError("vendor_failed", `The site answered ${answer.status} for its robots.txt.`);
}
