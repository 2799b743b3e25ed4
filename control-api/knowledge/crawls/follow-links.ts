import { DOCUMENTS_MAX } from "@parley/shared/contracts/knowledge.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { addReading } from "../documents/reading-job.ts";
import type { RobotRules } from "./robots.ts";
import { lockCrawl } from "./store.ts";

const MAX_URL_CHARS = 2_048;
/** Extensions of files without readable text, which need not be fetched. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|css|js|mjs|json|xml|rss|zip|gz|tar|7z|rar|exe|dmg|apk|mp[34]|m4a|wav|ogg|webm|mov|avi|woff2?|ttf|eot|xlsx?|pptx?)$/i;

export interface Leading {
  readonly crawlId: string;
  readonly baseId: string;
  readonly orgId: string;
  readonly depth: number;
  /** The address the page was found at. */
  readonly url: string;
  readonly links: readonly string[];
  readonly rules: RobotRules;
  readonly at: Date;
}

/** Queues the pages a page links to: new ones of the same site, while there is room. */
export async function followLinks(
  trx: Kysely<Tables>,
  from: Leading,
  queue: Pick<JobQueue, "add">,
): Promise<void> {
  const crawl = await lockCrawl(trx, from.crawlId);
  if (!crawl || from.depth >= crawl.maxDepth) return;
  const targets = targetsOf(from);
  if (targets.length === 0) return;
  const known = await trx
    .selectFrom("knowledge_documents")
    .select("url")
    .where("crawl_id", "=", from.crawlId)
    .execute();
  const seen = new Set(known.map(({ url }) => url));
  const free = Math.min(crawl.maxPages - known.length, DOCUMENTS_MAX - (await countOf(trx, from.baseId)));
  const found = targets.filter((url) => !seen.has(url)).slice(0, Math.max(0, free));
  for (const url of found) {
    const id = newId("doc");
    await trx
      .insertInto("knowledge_documents")
      .values({
        id,
        base_id: from.baseId,
        org_id: from.orgId,
        name: new URL(url).pathname.slice(0, 256),
        is_named: false,
        source: "url",
        url,
        format: null,
        content: null,
        state: "queued",
        crawl_id: from.crawlId,
        depth: from.depth + 1,
        created_at: from.at,
      })
      .execute();
    await addReading(trx, { id, orgId: from.orgId, baseId: from.baseId }, queue);
  }
}

/** Distinct addresses, in the order of the page. */
function targetsOf({ url, links, rules }: Leading): string[] {
  const targets = new Set<string>();
  for (const link of links) {
    const target = targetOf(link, new URL(url), rules);
    if (target !== undefined) targets.add(target);
  }
  return [...targets];
}

function targetOf(link: string, from: URL, rules: RobotRules): string | undefined {
  let to: URL;
  try {
    to = new URL(link, from);
  } catch {
    return undefined;
  }
  to.hash = "";
  if (to.origin !== from.origin || to.href.length > MAX_URL_CHARS || NO_TEXT.test(to.pathname)) {
    return undefined;
  }
  return rules.allows(to.pathname + to.search) ? to.href : undefined;
}

async function countOf(trx: Kysely<Tables>, baseId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("knowledge_documents")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("base_id", "=", baseId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
