import type { Executor, HostCall } from "../host/executor.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { AppRecord, DataEvent, Query, QueryOpts, RecordData } from "../methods/data.ts";
import type { Method } from "../methods/define.ts";
import { type GatedUser, passesGate } from "../methods/gates.ts";
import { isGranted } from "../methods/scopes.ts";
import type { MethodName } from "../methods/table.ts";
import { BridgeError, unavailable } from "../wire/errors.ts";
import { AI_HANDLERS } from "./ai-handlers.ts";
import { MemoryFiles } from "./memory-files.ts";
import { MemoryStore } from "./memory-store.ts";

type Handler = (call: HostCall) => unknown;

export interface MockOptions {
  readonly manifest: Pick<Manifest, "id" | "scopes" | "objects">;
  /** Read at each call, since a page may switch users. */
  readonly user: () => GatedUser;
  /** What an earlier store had, from its `all`. */
  readonly records?: readonly AppRecord[] | undefined;
  /** The store and files of another mock, to share; its own by default. */
  readonly mock?: Pick<Mock, "store" | "files"> | undefined;
  /** Handlers the mock lacks, or that replace its own. */
  readonly handlers?: Readonly<Partial<Record<MethodName, Handler>>>;
}

export interface Mock {
  readonly execute: Executor;
  readonly store: MemoryStore;
  readonly files: MemoryFiles;
}

/**
 * Carries calls out without a server: same schemas, scopes and gates, records and files in memory, and a
 * model that echoes its input. Anything that needs another system of the server is answered as by a host
 * without that system.
 */
export function createMock({ manifest, user, mock, records, handlers: own = {} }: MockOptions): Mock {
  const store = mock?.store ?? new MemoryStore({ appId: manifest.id, ...manifest, records });
  const files = mock?.files ?? new MemoryFiles();
  const handlers: Readonly<Partial<Record<string, Handler>>> = {
    ...storeHandlers(store),
    ...fileHandlers(files),
    ...AI_HANDLERS,
    ...own,
  };
  return {
    store,
    files,
    execute: async (call) => {
      const { method } = call;
      checkScopes(method, call.args, manifest.scopes);
      checkGate(method, user());
      const handler = Object.hasOwn(handlers, method.name) ? handlers[method.name] : undefined;
      if (handler !== undefined) return handler(call);
      if (method.empty !== undefined) return method.empty;
      throw unavailable(method.name);
    },
  };
}

interface DataArgs {
  readonly type: string;
  readonly id: string;
  readonly data: RecordData;
  readonly query?: Query;
  readonly opts?: QueryOpts;
}

function storeHandlers(store: MemoryStore): Record<string, Handler> {
  const withArgs =
    (work: (args: DataArgs) => unknown): Handler =>
    ({ args }) =>
      work(args as unknown as DataArgs);
  return {
    "data.list": withArgs(({ type, query, opts }) => store.list(type, query, opts)),
    "data.count": withArgs(({ type, query }) => store.count(type, query)),
    "data.create": withArgs(({ type, data }) => store.create(type, data)),
    "data.update": withArgs(({ type, id, data }) => store.update(type, id, data)),
    "data.remove": withArgs(({ type, id }) => store.remove(type, id)),
    "data.subscribe": ({ args: { type }, onEvent, signal }) => {
      const stop = store.subscribe(String(type), (event: DataEvent) => onEvent(event));
      signal.addEventListener("abort", stop);
      return null;
    },
  };
}

function fileHandlers(files: MemoryFiles): Record<string, Handler> {
  return {
    "files.put": ({ args: { path }, bytes }) => files.put(String(path), bytes ?? new ArrayBuffer(0)),
    "files.get": ({ args: { path } }) => files.get(String(path)),
    "files.list": ({ args: { prefix } }) => files.list(prefix === undefined ? "" : String(prefix)),
    "files.delete": ({ args: { path } }) => files.delete(String(path)),
    "files.extractText": ({ args: { path } }) => files.extractText(String(path)),
  };
}

function checkScopes({ name, scope }: Method, args: HostCall["args"], granted: readonly string[]): void {
  if (scope.kind === "any") {
    if (granted.some((one) => one.startsWith(scope.prefix))) return;
    throw missing(name, `${scope.prefix}…`);
  }
  const needed = neededBy(scope, args);
  const lacking = needed.find((one) => !isGranted(granted, one));
  if (lacking !== undefined) throw missing(name, lacking);
}

function neededBy(scope: Method["scope"], args: HostCall["args"]): readonly string[] {
  if (scope.kind === "all") return scope.scopes;
  // The arguments belong to this method and are already validated.
  return scope.kind === "args" ? scope.of(args as never) : [];
}

function missing(name: string, scope: string): BridgeError {
  return new BridgeError(
    "scope_missing",
    `${name} needs scope ${scope}, which the app was not granted; add it to "scopes" of the manifest.`,
    { details: { scope } },
  );
}

function checkGate({ name, gate }: Method, user: GatedUser): void {
  if (passesGate(gate, user)) return;
  throw new BridgeError("role_forbidden", `Your role does not permit ${name}.`);
}
