import { createHash } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { sql } from "kysely";
import { buildIndex } from "../../database/build-indexes.ts";
import type { Database, Databases } from "../../database/open.ts";

/** The first version that goes on searching an index until enough rows of a base are found. */
const LEAST_VERSION = "0.8.0";
const AGAIN_MS = 60_000;
const DIGEST_CHARS = 12;

/** Whether the database can compare vectors; otherwise why not, and what to do about it. */
export type VectorState = { readonly isReady: true } | { readonly isReady: false; readonly why: string };

/** The tables whose `embedding` is compared. */
export type VectorTable = "knowledge_vectors" | "app_record_vectors";

export interface Space {
  readonly space: string;
  readonly dimensions: number;
}

interface VectorSupportDeps {
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "knowledgeVectorsReady">;
  readonly space: Space;
}

/**
 * pgvector, where the database has it (docs/decisions/knowledge.md#vectors-optional). A database without it is
 * looked at again every minute.
 */
export class VectorSupport {
  readonly #deps: VectorSupportDeps;
  #state: VectorState = unavailable("It was not looked at yet.");
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  readonly #indexed = new Set<VectorTable>();

  constructor(deps: VectorSupportDeps) {
    this.#deps = deps;
  }

  /** Never throws. */
  async state(): Promise<VectorState> {
    const { clock, database, log, metrics } = this.#deps;
    const nowMs = clock.monotonicMs();
    if (this.#state.isReady || nowMs < this.#lookedAtMs + AGAIN_MS) return this.#state;
    this.#lookedAtMs = nowMs;
    const state = await prepare(database).catch((error: unknown) => unavailable(messageOf(error)));
    metrics.knowledgeVectorsReady.set(state.isReady ? 1 : 0);
    if (!state.isReady && !(!this.#state.isReady && this.#state.why === state.why))
      log.warn({ event: "vectors_unavailable", why: state.why }, "what is stored is searched by words alone");
    this.#state = state;
    return state;
  }

  /** Builds a table's index for this space. The embedded database has none: it compares each vector. */
  async ensureIndex(table: VectorTable): Promise<void> {
    const { database, space } = this.#deps;
    if (this.#indexed.has(table) || database.kind === "pglite") return;
    await database.unbounded((own) => buildIndex(own, indexOf(table, space)));
    this.#indexed.add(table);
  }
}

function indexOf(table: VectorTable, { space, dimensions }: Space) {
  const digest = createHash("sha256").update(space).digest("hex").slice(0, DIGEST_CHARS);
  const literal = `'${space.replaceAll("'", "''")}'`;
  return {
    name: `${table}_${digest}`,
    table,
    definition: `using hnsw ((embedding::vector(${dimensions})) vector_cosine_ops) where space = ${literal}`,
  };
}

async function prepare(database: Database): Promise<VectorState> {
  const { rows } = await sql<{ available: string | null; installed: string | null }>`
    select default_version as available, installed_version as installed
    from pg_available_extensions where name = 'vector'`.execute(database.db);
  const [found] = rows;
  if (!found) return unavailable("This Postgres has no pgvector: install the package of its version.");
  const version = found.installed ?? found.available ?? "";
  if (isOlder(version, LEAST_VERSION))
    return unavailable(`This Postgres has pgvector ${version}; ${LEAST_VERSION} or newer is needed.`);
  if (found.installed === null) await create(database);
  return { isReady: true };
}

function unavailable(why: string): VectorState {
  return { isReady: false, why };
}

async function create({ db }: Database): Promise<void> {
  await sql`create extension if not exists vector`.execute(db).catch(async (error: unknown) => {
    // Another process may have created it meanwhile.
    const { rows } = await sql`select from pg_extension where extname = 'vector'`.execute(db);
    if (rows.length > 0) return;
    throw new Error(`Run "create extension vector" as a superuser of this database: ${messageOf(error)}`);
  });
}

function isOlder(version: string, least: string): boolean {
  return version.localeCompare(least, "en", { numeric: true }) < 0;
}
