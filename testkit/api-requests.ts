import type { Batch } from "@parley/shared/contracts/batch.ts";
import type { Page, Request } from "playwright-core";

const BATCH = "/api/batch";

/** What a page asks the API for. */
export class ApiRequests {
  readonly #page: Page;
  readonly #unanswered = new Set<Request>();
  #sent: { readonly path: string; readonly reads: readonly string[] }[] = [];

  constructor(page: Page) {
    this.#page = page;
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith("/api/")) return;
      this.#sent.push({ path: pathname, reads: readsIn(request).map(withoutTimes) });
      // Streams are never answered in full.
      if (!/\/(changes|incoming-calls)$/.test(pathname)) this.#unanswered.add(request);
    });
    const answered = (request: Request) => this.#unanswered.delete(request);
    page.on("requestfinished", answered);
    page.on("requestfailed", answered);
  }

  get paths(): readonly string[] {
    return this.#sent.map(({ path }) => path);
  }

  /** Paths and queries of what the first request of several reads asked for. */
  get firstReads(): readonly string[] {
    return this.#sent.find(({ path }) => path === BATCH)?.reads ?? [];
  }

  /** Those of `firstReads` that were not asked for a second time. */
  get readOnce(): readonly string[] {
    const all = this.#sent.flatMap(({ reads }) => reads);
    return this.firstReads.filter((read) => all.indexOf(read) === all.lastIndexOf(read));
  }

  /** Paths of all requests but those that only ask for `firstReads` a second time. */
  get pathsWithoutRepeats(): readonly string[] {
    const first = this.#sent.findIndex(({ path }) => path === BATCH);
    const repeatable = new Set(this.firstReads);
    const isRepeat = (reads: readonly string[]): boolean =>
      reads.length > 0 && reads.filter((read) => !repeatable.delete(read)).length === 0;
    return this.#sent.filter(({ reads }, at) => at <= first || !isRepeat(reads)).map(({ path }) => path);
  }

  forget(): void {
    this.#sent = [];
    this.#unanswered.clear();
  }

  /** Whether all is answered and shown, also what an answer had the page ask for next. */
  async areAnswered(): Promise<boolean> {
    if (this.#unanswered.size > 0) return false;
    await this.#page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    const isBusy = (await this.#page.locator("[aria-busy=true]").count()) > 0;
    return !isBusy && this.#unanswered.size === 0;
  }
}

/** Paths and queries of what a request reads, also of what travels together. */
function readsIn(request: Request): string[] {
  const { pathname, search } = new URL(request.url());
  if (pathname === BATCH) return (request.postDataJSON() as Batch).reads.map(({ path }) => path);
  return request.method() === "GET" ? [pathname + search] : [];
}

/** Times differ from one moment to the next. */
const withoutTimes = (read: string): string => read.replace(/\d{4}-\d\d-\d\dT[^&]*/g, "time");
