import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  KnowledgeCrawl,
  KnowledgeDocument,
  KnowledgePassage,
} from "@parley/shared/contracts/knowledge.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type TestAnswer, TestControlApi } from "../../../testkit/control-api.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

const SOON = { timeout: 60_000 };
const DAY_MS = 24 * 3_600_000;

interface Page {
  readonly text?: string;
  readonly links?: readonly string[];
  readonly location?: string;
  readonly status?: number;
  /** The whole answer, as plain text. */
  readonly plain?: string;
}

let api: TestControlApi;
let acme: TestOrganization;
let site: Server;
let elsewhere: Server;
const clock = new SteppingClock();
/** What the site answers, by path; and what it was asked for. */
let pages: Record<string, Page> = {};
let asked: string[] = [];

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"], clock });
  acme = await api.createOrganization();
  site = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const { text = "", links = [], status = 200, location, plain } = pages[path] ?? { status: 404 };
    const type = plain === undefined ? "text/html" : "text/plain";
    const headers = { "content-type": type, ...(location === undefined ? {} : { location }) };
    response.writeHead(location === undefined ? status : 302, headers);
    const anchors = links.map((href) => `<a href="${href}">more</a>`).join(" ");
    response.end(plain ?? `<title>${path}</title><nav>${anchors}</nav><main><p>${text}</p></main>`);
  });
  elsewhere = createServer((request, response) => {
    asked.push(`elsewhere${request.url}`);
    response.end("Somebody else's words.");
  });
  for (const server of [site, elsewhere])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  site.close();
  elsewhere.close();
  await api.close();
});
afterEach(() => {
  pages = {};
  asked = [];
});

const at = (server: Server, path: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

function call(method: string, path: string, body?: unknown): Promise<TestAnswer> {
  const to = `/api/orgs/${acme.orgId}/knowledge-bases${path}`;
  return api.call(method, to, { key: acme.keys.developer, ...(body === undefined ? {} : { body }) });
}

/** A new base that reads the site from its first page, by its path below `/knowledge-bases`. */
async function crawl(settings: object = {}, path = "/"): Promise<{ base: string; crawl: string }> {
  const made = await call("POST", "", { name: "Site" });
  const base = `/${(made.body.data as { id: string }).id}`;
  const started = await call("POST", `${base}/crawls`, { url: at(site, path), ...settings });
  expect(started.status, started.text).toBe(201);
  expect(started.body.data).toMatchObject({ state: "reading", pages: { waiting: 1, ready: 0, failed: 0 } });
  return { base, crawl: `${base}/crawls/${(started.body.data as KnowledgeCrawl).id}` };
}

/** The crawl when all its pages are read. */
async function over(path: string): Promise<KnowledgeCrawl> {
  const now = async () => (await call("GET", path)).body.data as KnowledgeCrawl;
  await expect.poll(async () => (await now()).state, SOON).not.toBe("reading");
  return now();
}

const documents = async (base: string): Promise<KnowledgeDocument[]> =>
  ((await call("GET", `${base}/documents`)).body.data as { documents: KnowledgeDocument[] }).documents;
const paths = async (base: string): Promise<string[]> =>
  (await documents(base)).map(({ url }) => new URL(url ?? "").pathname).sort();
async function found(base: string, query: string): Promise<string[]> {
  const answer = await call("GET", `${base}/search?query=${encodeURIComponent(query)}`);
  return (answer.body.data as { passages: KnowledgePassage[] }).passages.map(({ text }) => text);
}

test("a site is read from one page by its links: each page once, those of other sites and the forbidden ones not", async () => {
  pages = {
    "/robots.txt": { plain: "User-agent: *\nDisallow: /private\n" },
    "/": {
      text: "Welcome to the inn.",
      links: [
        "rooms#top",
        "/rooms",
        "/old",
        "/private/diary",
        "/logo.png",
        "mailto:a@b.c",
        at(elsewhere, "/"),
      ],
    },
    "/rooms": { text: "Rooms have balconies.", links: ["/", "/breakfast"] },
    "/old": { location: "/rooms" },
    "/breakfast": { text: "Breakfast has porridge.", links: ["/away"] },
    "/away": { location: at(elsewhere, "/stolen") },
    "/private/diary": { text: "Dear diary." },
  };
  const made = await crawl();
  const read = await over(made.crawl);
  expect(read).toMatchObject({ state: "ready", error: null, pages: { waiting: 0, ready: 3, failed: 0 } });
  expect(await paths(made.base)).toEqual(["/", "/breakfast", "/rooms"]);
  expect(await found(made.base, "porridge")).toEqual(["Breakfast has porridge."]);
  expect(await found(made.base, "diary")).toEqual([]);
  expect(asked.filter((path) => /private|png|elsewhere/.test(path))).toEqual([]);
  expect(asked.filter((path) => path === "/robots.txt")).toHaveLength(1);
});

test("no more pages are read than asked for, and none further away", async () => {
  pages = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [
      i === 0 ? "/" : `/${i}`,
      { text: `Page ${i}.`, links: [`/${i + 1}`, `/x${i}`] },
    ]),
  );
  const deep = await crawl({ maxDepth: 2 });
  await over(deep.crawl);
  expect(await paths(deep.base)).toEqual(["/", "/1", "/2"]);
  const few = await crawl({ maxPages: 4, maxDepth: 8 });
  await over(few.crawl);
  expect((await documents(few.base)).length).toBeLessThanOrEqual(4);
});

test("when its time comes it is read again: what changed is found as it is now, what is gone is not, what is new is", async () => {
  pages = {
    "/": { text: "Welcome.", links: ["/prices", "/offer"] },
    "/prices": { text: "A night costs ninety." },
    "/offer": { text: "Unicorn rides in June." },
  };
  const made = await crawl({ refreshHours: 24 });
  expect((await over(made.crawl)).pages.ready).toBe(3);
  pages = {
    "/": { text: "Welcome back.", links: ["/prices", "/sauna"] },
    "/prices": { text: "A night costs eighty." },
    "/sauna": { text: "The sauna is open." },
  };
  clock.step(DAY_MS + 61_000);
  await expect.poll(() => found(made.base, "sauna"), SOON).toEqual(["The sauna is open."]);
  await over(made.crawl);
  expect(await paths(made.base)).toEqual(["/", "/prices", "/sauna"]);
  expect(await found(made.base, "ninety unicorn")).toEqual([]);
  expect(await found(made.base, "eighty")).toEqual(["A night costs eighty."]);
});

test("what robots.txt forbids later is forgotten when the site is read again", async () => {
  pages = { "/": { text: "Welcome.", links: ["/staff"] }, "/staff": { text: "Anna cooks." } };
  const made = await crawl();
  await over(made.crawl);
  expect(await found(made.base, "Anna")).toHaveLength(1);
  pages["/robots.txt"] = { plain: "User-agent: Parley\nDisallow: /staff" };
  expect((await call("POST", `${made.crawl}/refresh`)).status).toBe(200);
  await over(made.crawl);
  expect(await found(made.base, "Anna")).toEqual([]);
});

test("a site that cannot be read says why", async () => {
  pages = { "/robots.txt": { plain: "User-agent: *\nDisallow: /" }, "/": { text: "Welcome." } };
  const forbidden = await crawl();
  expect(await over(forbidden.crawl)).toMatchObject({
    state: "failed",
    error: "The site's robots.txt does not allow reading this page.",
  });
  const missing = await crawl({}, "/robots.txt/none");
  expect((await over(missing.crawl)).state).toBe("failed");
});

test("a site is deleted with all its pages, and its pages not without it", async () => {
  pages = {
    "/": { text: "Lighthouse keepers welcome.", links: ["/b"] },
    "/b": { text: "Lighthouse stairs." },
  };
  const made = await crawl();
  await over(made.crawl);
  const [page] = await documents(made.base);
  expect((await call("DELETE", `${made.base}/documents/${page?.id}`)).status).toBe(409);
  expect((await call("DELETE", made.crawl)).status).toBe(200);
  expect(await found(made.base, "lighthouse")).toEqual([]);
  expect(await documents(made.base)).toEqual([]);
  expect((await call("GET", made.crawl)).status).toBe(404);
});

test("addresses inside of the network are no site", async () => {
  const made = await call("POST", "", { name: "Site" });
  const base = `/${(made.body.data as { id: string }).id}`;
  const started = await call("POST", `${base}/crawls`, { url: "http://169.254.169.254/latest" });
  const { id } = started.body.data as KnowledgeCrawl;
  expect(await over(`${base}/crawls/${id}`)).toMatchObject({ state: "failed" });
});
