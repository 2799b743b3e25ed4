import type { WindowPlatform } from "../types/platform.ts";
import { BRIDGE_VERSION } from "../wire.ts";
import { createPlatform } from "./create-platform.ts";
import { METHOD_NAMES } from "./method-names.ts";
import { unavailable } from "./platform-error.ts";

/** Stands in for whatever a host lacks: every operation rejects, settings are empty, nothing is permitted. */
const MISSING: WindowPlatform = (() => {
  const none = createPlatform(
    {
      call: ({ method }) => Promise.reject(unavailable(method)),
      subscribe: ({ method }) => Promise.reject(unavailable(method)),
    },
    {
      version: BRIDGE_VERSION,
      context: { appId: "", pageId: "", title: "" },
      user: null,
      settings: {},
      theme: "light",
      methods: Object.fromEntries(
        METHOD_NAMES.map((name) => [name, { params: [], timeoutMs: 0, atOnce: 1 }]),
      ),
    },
  );
  return none.platform;
})();

/**
 * `window.platform`, completed where the host is older than this package. Outside a dashboard, every
 * operation is unavailable.
 */
export function currentPlatform(): WindowPlatform {
  const host = hostPlatform();
  if (host === undefined) return MISSING;
  const known = completed.get(host);
  if (known !== undefined) return known;
  const whole = complete(host);
  completed.set(host, whole);
  return whole;
}

const completed = new WeakMap<object, WindowPlatform>();

/** Whether the host has an operation, such as `calls.history`. */
export function isAvailable(method: string): boolean {
  const [namespace = "", name = ""] = method.split(".");
  const operations: unknown = hostPlatform()?.[namespace as keyof WindowPlatform];
  return typeof operations === "object" && operations !== null && Object.hasOwn(operations, name);
}

function hostPlatform(): Partial<WindowPlatform> | undefined {
  return typeof window === "undefined" ? undefined : window.platform;
}

function complete(host: Partial<WindowPlatform>): WindowPlatform {
  const entries = Object.entries(MISSING).map(([name, missing]: [string, unknown]) => {
    const own: unknown = host[name as keyof WindowPlatform];
    if (own === undefined) return [name, missing];
    return [name, isPlain(missing) && isPlain(own) ? { ...missing, ...own } : own];
  });
  return Object.freeze(Object.fromEntries(entries)) as unknown as WindowPlatform;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
