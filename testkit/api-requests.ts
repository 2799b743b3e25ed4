import type { Page, Request } from "playwright-core";

/** What a page asks the API for. */
export class ApiRequests {
  readonly #page: Page;
  readonly #unanswered = new Set<Request>();
  #paths: string[] = [];

  constructor(page: Page) {
    this.#page = page;
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith("/api/")) return;
      this.#paths.push(pathname);
      // Streams are never answered in full.
      if (!/\/(changes|incoming-calls)$/.test(pathname)) this.#unanswered.add(request);
    });
    const answered = (request: Request) => this.#unanswered.delete(request);
    page.on("requestfinished", answered);
    page.on("requestfailed", answered);
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  forget(): void {
    this.#paths = [];
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
