import type { Manifest } from "../manifest/manifest.ts";
import type { AppRecord, DataEvent, Query, QueryOpts, RecordData } from "../methods/data.ts";
import { RECORD_LIMITS } from "../methods/limits.ts";
import { BridgeError } from "../wire/errors.ts";
import { compareText, fieldOf, matches } from "./matches.ts";

const LISTED = 100;

/** The records of one app in memory, with the operators and limits of the server's. */
export class MemoryStore {
  readonly #appId: string;
  readonly #objects: NonNullable<Manifest["objects"]>;
  readonly #records = new Map<string, AppRecord>();
  readonly #listeners = new Map<(event: DataEvent) => void, string>();
  #made = 0;
  readonly #nowMs: () => number;

  constructor({
    appId,
    objects = {},
    nowMs = Date.now,
  }: {
    readonly appId: string;
    readonly objects?: Manifest["objects"] | undefined;
    readonly nowMs?: () => number;
  }) {
    this.#appId = appId;
    this.#objects = objects;
    this.#nowMs = nowMs;
  }

  list(type: string, query: Query = {}, opts: QueryOpts = {}): AppRecord[] {
    const { view: name, expand = [], search } = opts;
    const view = name === undefined ? undefined : this.#viewOf(type, name);
    const orderBy = opts.orderBy ?? view?.orderBy;
    const found = this.#found(type, { ...view?.query, ...query }).filter((record) =>
      hasWords(record, search),
    );
    const sorted = orderBy === undefined ? found : found.toSorted((a, b) => inOrder(a, b, orderBy));
    const listed = sorted.slice(0, opts.limit ?? view?.limit ?? LISTED);
    return structuredClone(listed.map((record) => this.#expanded(record, expand)));
  }

  count(type: string, query: Query = {}): { count: number } {
    return { count: this.#found(type, query).length };
  }

  create(type: string, data: RecordData): AppRecord {
    this.#made += 1;
    const record: AppRecord = {
      id: `rec_${this.#made}`,
      appId: this.#appId,
      objectType: type,
      data: fitting(data),
      createdAt: this.#now(),
    };
    this.#records.set(record.id, record);
    this.#tell({ event: "created", objectType: type, id: record.id, data: record.data });
    return structuredClone(record);
  }

  /** Throws `BridgeError` when there is no such record. */
  update(type: string, id: string, data: RecordData): AppRecord {
    const before = this.#records.get(id);
    if (before?.objectType !== type) {
      throw new BridgeError("not_found", `There is no record ${id} of type ${type}.`);
    }
    const record = { ...before, data: fitting({ ...before.data, ...data }), updatedAt: this.#now() };
    this.#records.set(id, record);
    this.#tell({ event: "updated", objectType: type, id, data: record.data });
    return structuredClone(record);
  }

  remove(type: string, id: string): { deleted: boolean } {
    if (this.#records.get(id)?.objectType !== type) return { deleted: false };
    this.#records.delete(id);
    this.#tell({ event: "deleted", objectType: type, id, data: null });
    return { deleted: true };
  }

  /** Tells of every change of a type; the result ends it. */
  subscribe(type: string, onEvent: (event: DataEvent) => void): () => void {
    const own = (event: DataEvent): void => onEvent(event);
    this.#listeners.set(own, type);
    return () => void this.#listeners.delete(own);
  }

  /** The newest first. */
  #found(type: string, query: Query): AppRecord[] {
    return [...this.#records.values()]
      .filter((record) => record.objectType === type && matches(record, query))
      .toReversed();
  }

  #viewOf(type: string, name: string) {
    const views = this.#objects[type]?.views ?? {};
    if (Object.hasOwn(views, name)) return views[name];
    throw new BridgeError("invalid_arguments", `The manifest has no view ${name} of ${type}.`);
  }

  #expanded(record: AppRecord, fields: readonly string[]): AppRecord {
    const more = fields.map((field): [string, RecordData[string]] => {
      const type = this.#objects[record.objectType]?.references?.[field];
      const other = this.#records.get(String(fieldOf(record, field)));
      return [`${field}__expanded`, other !== undefined && other.objectType === type ? asJson(other) : null];
    });
    return { ...record, data: { ...record.data, ...Object.fromEntries(more) } };
  }

  #tell(event: DataEvent): void {
    for (const [listener, type] of this.#listeners) {
      if (type === event.objectType) listener(structuredClone(event));
    }
  }

  #now(): string {
    return new Date(this.#nowMs()).toISOString();
  }
}

function inOrder(
  a: AppRecord,
  b: AppRecord,
  { field, desc = false, numeric = false }: NonNullable<QueryOpts["orderBy"]>,
): number {
  const [one, other] = [fieldOf(a, field), fieldOf(b, field)];
  // What has no value is last, in either direction.
  if (one === undefined || one === null) return other === undefined || other === null ? 0 : 1;
  if (other === undefined || other === null) return -1;
  const order = numeric ? Number(one) - Number(other) : compareText(textOf(one), textOf(other));
  return desc ? -order : order;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** All of the words, somewhere in the texts. */
function hasWords(record: AppRecord, search: string | undefined): boolean {
  if (search === undefined) return true;
  const text = JSON.stringify(record.data).toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function fitting(data: RecordData): RecordData {
  const bytes = new TextEncoder().encode(JSON.stringify(data)).length;
  if (bytes <= RECORD_LIMITS.recordBytes) return structuredClone(data);
  throw new BridgeError(
    "too_large",
    `A record may have ${RECORD_LIMITS.recordBytes} bytes; this one has ${bytes}.`,
  );
}

function asJson({ id, objectType, data }: AppRecord): RecordData[string] {
  return { id, objectType, data };
}
