import type { PageContext, Theme, ThemeMode, User, WindowPlatform } from "../types/platform.ts";
import type { Unsubscribe } from "../types/records.ts";
import type { FrameInit, FrameUser, MethodShape } from "../wire.ts";
import { bytesOf } from "./bytes.ts";
import type { Call, Caller } from "./caller.ts";
import { plain } from "./plain.ts";
import { PlatformError } from "./platform-error.ts";

/** What the host announces unasked. */
export interface PlatformEvents {
  theme(mode: ThemeMode): void;
  activated(contributionId: string): void;
}

type Init = Pick<FrameInit, "version" | "context" | "user" | "settings" | "theme" | "methods">;

/** The bridge as apps see it: the host's operations, over any transport. */
export function createPlatform(
  caller: Caller,
  init: Init,
): { readonly platform: WindowPlatform; readonly events: PlatformEvents } {
  const themes = listeners<ThemeMode>();
  const activations = listeners<string>();
  // A button may be pressed before the page listens, as React runs effects late.
  const unheard: string[] = [];
  let mode = init.theme;
  const user = userOf(init.user);
  const settings = Object.freeze({ ...init.settings });
  const theme: Theme = { mode: () => mode, onChange: themes.add };
  const platform = {
    version: init.version,
    context: contextOf(init.context, user),
    user,
    ...operationsOf(caller, init.methods),
    settings: {
      all: () => settings,
      get: (key: string) => (Object.hasOwn(settings, key) ? settings[key] : undefined),
    },
    theme,
    onActivate: (listener: (contributionId: string) => void) => {
      for (const contributionId of unheard.splice(0)) listener(contributionId);
      return activations.add(listener);
    },
  };
  return {
    // The host decides which operations exist; `currentPlatform` fills in the rest.
    platform: Object.freeze(platform) as unknown as WindowPlatform,
    events: {
      theme: (next) => {
        mode = next;
        themes.tell(next);
      },
      activated: (contributionId) => {
        if (activations.isHeard()) activations.tell(contributionId);
        else unheard.push(contributionId);
      },
    },
  };
}

type Operation = (...given: unknown[]) => Promise<unknown>;

function operationsOf(
  caller: Caller,
  methods: Init["methods"],
): Record<string, Readonly<Record<string, Operation>>> {
  const namespaces: Record<string, Record<string, Operation>> = {};
  for (const [method, shape] of Object.entries(methods)) {
    const [namespace = "", name = ""] = method.split(".");
    namespaces[namespace] ??= {};
    namespaces[namespace][name] = operationOf(caller, method, shape);
  }
  for (const operations of Object.values(namespaces)) Object.freeze(operations);
  return namespaces;
}

/** Takes the arguments in order, then a file's bytes or the event callback and its options. */
function operationOf(caller: Caller, method: string, shape: MethodShape): Operation {
  const { params: names, timeoutMs, atOnce, streams, takesBytes } = shape;
  return async (...given) => {
    const params = Object.fromEntries(
      names
        .map((name, at): [string, unknown] => [name, plain(given[at])])
        // Null stands for an argument that is left out, too.
        .filter(([, value]) => value !== undefined && value !== null),
    );
    const call: Call = { method, params, timeoutMs, atOnce };
    const more = given.slice(names.length);
    if (takesBytes) return caller.call({ ...call, bytes: await bytesOf(method, more[0]) });
    if (streams === undefined) return caller.call(call);
    const [listener, last] = more;
    if (typeof listener !== "function") {
      const message = `${method} needs a function as argument ${names.length + 1}: it is told of each event.`;
      throw new PlatformError({ code: "invalid_arguments", message });
    }
    const onEvent = (event: unknown): void =>
      void listener(method === "ai.llmStream" ? tokenOf(event) : event);
    if (streams === "answer") return caller.call(call, { onEvent, signal: signalOf(last) });
    return caller.subscribe(call, {
      onEvent,
      onResync: typeof last === "function" ? () => void last() : undefined,
    });
  };
}

/** Reads the signal from the options of a streaming answer. */
function signalOf(opts: unknown): AbortSignal | undefined {
  if (typeof opts !== "object" || opts === null || !("signal" in opts)) return undefined;
  return opts.signal instanceof AbortSignal ? opts.signal : undefined;
}

function tokenOf(event: unknown): unknown {
  return typeof event === "object" && event !== null && "token" in event ? event.token : event;
}

function userOf(user: FrameUser | null): User | null {
  if (user === null) return null;
  const { permissions } = user;
  const can = (permission: string): boolean => permissions.includes(permission);
  return Object.freeze({ ...user, can }) as User;
}

function contextOf(context: Init["context"], user: User | null): PageContext {
  return Object.freeze({ ...context, page: context.pageId, ...(user === null ? {} : { user }) });
}

interface Listeners<T> {
  add(listener: (value: T) => void): Unsubscribe;
  tell(value: T): void;
  isHeard(): boolean;
}

function listeners<T>(): Listeners<T> {
  const all = new Set<(value: T) => void>();
  return {
    add: (listener) => {
      // The same function may listen twice; each registration ends separately.
      const own = (value: T): void => listener(value);
      all.add(own);
      return () => void all.delete(own);
    },
    tell: (value) => {
      for (const listener of [...all]) listener(value);
    },
    isHeard: () => all.size > 0,
  };
}
