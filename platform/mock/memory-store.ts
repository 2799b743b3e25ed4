import type { Manifest } from "../manifest/manifest.ts";
import type { AppRecord, DataEvent, Query, QueryOpts, RecordData } from "../methods/data.ts";
import { referencedTypes } from "../methods/references.ts";
import { storableJson } from "../methods/storable.ts";
import { BridgeError } from "../wire/errors.ts";
import { fieldOf, matcher } from "./matches.ts";
import { inOrder, newestFirst } from "./order.ts";
import { byWords } from "./search.ts";

const LISTED = 100;
const ID_PREFIX = "rec_";

/** One app's records in memory, with the server's operators and limits. */
export class MemoryStore {
  readonly #appId: string;
  readonly #objects: NonNullable<Manifest["objects"]>;
  readonly #scopes: readonly string[];
  readonly #records = new Map<string, AppRecord>();
  readonly #listeners = new Map<(event: DataEvent) => void, string>();
  #made = 0;
  readonly #nowMs: () => number;

  constructor({
    appId,
    objects = {},
    scopes,
    records = [],
    nowMs = Date.now,
  }: {
    readonly appId: string;
    readonly objects?: Manifest["objects"] | undefined;
    readonly scopes: readonly string[];
    /** What an earlier store had, from `all`. */
    readonly records?: readonly AppRecord[] | undefined;
    readonly nowMs?: () => number;
  }) {
    this.#appId = appId;
    this.#objects = objects;
    this.#scopes = scopes;
    this.#nowMs = nowMs;
    for (const record of records) this.#records.set(record.id, record);
    this.#made = Math.max(0, ...records.map(({ id }) => Number(id.slice(ID_PREFIX.length))));
  }

  /** Every record, for a store that goes on from here. */
  all(): AppRecord[] {
    return structuredClone([...this.#records.values()]);
  }

  list(type: string, query: Query = {}, opts: QueryOpts = {}): AppRecord[] {
    const { view: name, expand = [], search } = opts;
    const view = name === undefined ? undefined : this.#viewOf(type, name);
    const orderBy = opts.orderBy ?? view?.orderBy;
    const all = this.#found(type, query).filter(matcher(view?.query ?? {}));
    const found = search === undefined ? all : this.#searched(type, all, search);
    const sorted = orderBy === undefined ? found : found.toSorted(inOrder(orderBy));
    const listed = sorted.slice(0, opts.limit ?? view?.limit ?? LISTED);
    return structuredClone(listed.map((record) => this.#expanded(record, expand)));
  }

  count(type: string, query: Query = {}): { count: number } {
    return { count: this.#found(type, query).length };
  }

  create(type: string, data: RecordData): AppRecord {
    this.#made += 1;
    const record: AppRecord = {
      id: `${ID_PREFIX}${this.#made}`,
      appId: this.#appId,
      objectType: type,
      data: storable(data),
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
    const record = { ...before, data: storable({ ...before.data, ...data }), updatedAt: this.#now() };
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

  /** Reports every change to a type; call the result to stop. */
  subscribe(type: string, onEvent: (event: DataEvent) => void): () => void {
    const own = (event: DataEvent): void => onEvent(event);
    this.#listeners.set(own, type);
    return () => void this.#listeners.delete(own);
  }

  /** Matching records, newest first. */
  #found(type: string, query: Query): AppRecord[] {
    const isMatch = matcher(query);
    return [...this.#records.values()]
      .filter((record) => record.objectType === type && isMatch(record))
      .toSorted(newestFirst);
  }

  /** Best matches first. */
  #searched(type: string, records: readonly AppRecord[], search: string): AppRecord[] {
    const isSearched = Object.hasOwn(this.#objects, type) && this.#objects[type]?.semantic === true;
    if (isSearched) return byWords(records, search);
    throw new BridgeError(
      "invalid_arguments",
      `Type ${type} is not searched: its manifest needs "semantic": true.`,
    );
  }

  #viewOf(type: string, name: string) {
    const views = this.#objects[type]?.views ?? {};
    if (Object.hasOwn(views, name)) return views[name];
    throw new BridgeError("invalid_arguments", `The manifest has no view ${name} of ${type}.`);
  }

  #expanded(record: AppRecord, fields: readonly string[]): AppRecord {
    const more = fields.map((field): [string, RecordData[string]] => {
      const { objectType: type } = record;
      const types = referencedTypes({ type, field, objects: this.#objects, scopes: this.#scopes });
      const other = this.#records.get(String(fieldOf(record, field)));
      const isFound = other !== undefined && types.includes(other.objectType);
      return [`${field}__expanded`, isFound ? (other as unknown as RecordData[string]) : null];
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

function storable(data: RecordData): RecordData {
  return JSON.parse(storableJson(data).json) as RecordData;
}
