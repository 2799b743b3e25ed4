import type { AppRecord, DataEvent, QueryOpts } from "@parley/platform/methods/data.ts";
import type { MethodArgs } from "@parley/platform/methods/table.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Channels } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import type { BridgeCall, Handlers } from "../bridge/handlers.ts";
import { holdInstall } from "../installs/store.ts";
import { changesOf } from "./changes.ts";
import { conditionsOf } from "./conditions.ts";
import { expandRecords } from "./expand.ts";
import { countRecords, listRecords, type StoredRecord } from "./list.ts";
import { type RecordVectors, searchRecords } from "./search/search.ts";
import { deleteRecord, findStoreId, insertRecord, type StoreKey, updateRecord } from "./store.ts";
import { toRecord } from "./to-record.ts";

const LISTED = 100;

export interface DataDeps {
  readonly database: Database;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Logger;
  /** Undefined without an embeddings service. */
  readonly vectors: RecordVectors | undefined;
}

/** `data.…`: the records that apps keep. */
export function dataMethods(deps: DataDeps): Handlers {
  const { clock } = deps;
  const { db } = deps.database;
  return {
    "data.list": (args, { caller }) => list(args, caller, deps),
    "data.count": async ({ type, query = {} }, { caller }) => {
      const storeId = await findStoreId(db, keyOf(caller, type));
      const conditions = conditionsOf(query);
      return { count: storeId === undefined ? 0 : await countRecords(db, { storeId, conditions }) };
    },
    "data.create": async ({ type, data }, call) => {
      const at = new Date(clock.wallMs());
      const given = { data, isSearched: isSearched(call.caller, type), at };
      const key = keyOf(call.caller, type);
      const row = await write(deps, async (trx) => {
        await holdInstall(trx, key.orgId, key.appId);
        return insertRecord(trx, key, given);
      });
      return told("created", row, { ...call, type }, deps);
    },
    "data.update": async ({ type, id, data }, call) => {
      const at = new Date(clock.wallMs());
      const given = { id, data, isSearched: isSearched(call.caller, type), at };
      const row = await write(deps, (trx) => updateRecord(trx, keyOf(call.caller, type), given));
      return told("updated", row, { ...call, type }, deps);
    },
    "data.remove": async ({ type, id }, { caller }) => {
      const deleted = await write(deps, (trx) => deleteRecord(trx, keyOf(caller, type), id));
      if (deleted) await publish({ event: "deleted", objectType: type, id, data: null }, caller, deps);
      return { deleted };
    },
  };
}

async function list(
  { type, query = {}, opts = {} }: MethodArgs<"data.list">,
  caller: BridgeCaller,
  deps: DataDeps,
): Promise<AppRecord[]> {
  const view = viewOf(caller, type, opts.view);
  if (opts.search !== undefined && !isSearched(caller, type))
    throw new BridgeError(
      "invalid_arguments",
      `Type ${type} is not searched: its manifest needs "semantic": true.`,
    );
  const { db } = deps.database;
  const storeId = await findStoreId(db, keyOf(caller, type));
  if (storeId === undefined) return [];
  const request = {
    storeId,
    conditions: [...conditionsOf(view?.query ?? {}), ...conditionsOf(query)],
    order: opts.orderBy ?? view?.orderBy,
    limit: opts.limit ?? view?.limit ?? LISTED,
  };
  const { search } = opts;
  const rows =
    search === undefined
      ? await listRecords(db, request)
      : await searchRecords({ ...request, orgId: caller.orgId, search }, deps);
  const records = rows.map((row) => toRecord(row, type, caller));
  return expandRecords(records, { type, fields: opts.expand ?? [], caller, db });
}

/** Publishes changes only once they are committed. */
async function write<T>({ database }: DataDeps, work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return database.db.transaction().execute(work);
}

async function told(
  event: "created" | "updated",
  row: StoredRecord,
  { type, caller }: Pick<BridgeCall, "caller"> & { readonly type: string },
  deps: DataDeps,
): Promise<AppRecord> {
  const record = toRecord(row, type, caller);
  await publish({ event, objectType: type, id: record.id, data: record.data }, caller, deps);
  return record;
}

/** Publishes a change. Failing to does not undo the write; listeners read again after an outage of the bus. */
async function publish(event: DataEvent, caller: BridgeCaller, { channels, log }: DataDeps): Promise<void> {
  const channel = changesOf(keyOf(caller, event.objectType));
  await channels.publish(channel, JSON.stringify(event)).catch((error: unknown) => {
    log.warn(
      { event: "app_change_not_published", err: messageOf(error), appId: caller.appId },
      "failed to tell the frames of an app about a change",
    );
  });
}

function keyOf({ orgId, appId }: BridgeCaller, type: string): StoreKey {
  return { orgId, appId, type };
}

function isSearched({ manifest }: BridgeCaller, type: string): boolean {
  return objectOf(manifest.objects, type)?.semantic === true;
}

function viewOf({ manifest }: BridgeCaller, type: string, name: QueryOpts["view"]) {
  if (name === undefined) return undefined;
  const views = objectOf(manifest.objects, type)?.views ?? {};
  if (Object.hasOwn(views, name)) return views[name];
  throw new BridgeError("invalid_arguments", `The manifest has no view ${name} of ${type}.`);
}

function objectOf<T>(objects: Readonly<Record<string, T>> | undefined, type: string): T | undefined {
  return objects && Object.hasOwn(objects, type) ? objects[type] : undefined;
}
