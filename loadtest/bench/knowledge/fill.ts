import { glob, readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { BenchApi } from "../api/control-api.ts";
import { pause } from "../harness/pause.ts";

const PAGES = "docs/*.md";
const READ_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;

type Json = Readonly<Record<string, unknown>>;

/** The control API as the demo's organization, by key. Both throw unless the answer is a success. */
export interface OrgApi {
  readonly orgPath: string;
  readonly get: (path: string) => Promise<Json>;
  readonly post: (path: string, body: object) => Promise<Json>;
}

export async function orgApi({ baseUrl, apiKey }: BenchApi): Promise<OrgApi> {
  const ask = async (path: string, init: RequestInit): Promise<Json> => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const response = await fetch(baseUrl + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  };
  const get = (path: string): Promise<Json> => ask(path, {});
  const post = (path: string, body: object): Promise<Json> =>
    ask(path, { method: "POST", body: JSON.stringify(body) });
  const { organization } = (await get("/api/v1/me")) as { organization: { id: string } };
  return { orgPath: `/api/orgs/${organization.id}`, get, post };
}

/** A knowledge base of Parley's own documentation, once all of it has been read. */
export async function fillKnowledgeBase({
  orgPath,
  get,
  post,
}: OrgApi): Promise<{ id: string; documents: number; parts: number }> {
  const { id } = dataOf(await post(`${orgPath}/knowledge-bases`, { name: "Documentation" })) as {
    id: string;
  };
  const path = `${orgPath}/knowledge-bases/${id}`;
  let documents = 0;
  for await (const page of glob(PAGES)) {
    const text = await readFile(page, "utf8");
    await post(`${path}/documents`, { type: "text", name: basename(page, ".md"), text });
    documents++;
  }
  const untilMs = performance.now() + READ_WITHIN_MS;
  while (performance.now() < untilMs) {
    const listed = dataOf(await get(`${path}/documents?limit=200`)) as { documents: { state: string }[] };
    if (listed.documents.every(({ state }) => state === "ready")) {
      const { parts } = dataOf(await get(path)) as { parts: number };
      return { id, documents, parts };
    }
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`not all of ${documents} documents were read within ${READ_WITHIN_MS / 1_000} s`);
}

function dataOf(answer: Json): unknown {
  return answer.data ?? answer;
}
