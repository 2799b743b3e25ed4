/**
 * Adds in-memory storage and cookies: a sandboxed frame has no origin, so the real ones throw where libraries
 * expect them to work. Their content is lost with the frame.
 */
export function addShims(): void {
  define(window, "localStorage", memoryStorage());
  define(window, "sessionStorage", memoryStorage());
  addCookies();
  // Libraries check for these and do without.
  define(window, "indexedDB", undefined);
  define(window, "caches", undefined);
  define(Navigator.prototype, "serviceWorker", undefined);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true });
}

const MAX_CHARS = 5 * 1024 * 1024;

/** An in-memory `Storage` that a program cannot tell from a real one; items are properties too. */
function memoryStorage(): Storage {
  const items = new Map<string, string>();
  const size = (): number => [...items].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const methods = {
    getItem: (key: string) => items.get(String(key)) ?? null,
    setItem: (key: string, value: string) => {
      const text = String(value);
      if (size() + text.length > MAX_CHARS) {
        throw new DOMException("There is no room for this item.", "QuotaExceededError");
      }
      items.set(String(key), text);
    },
    removeItem: (key: string) => void items.delete(String(key)),
    clear: () => items.clear(),
    key: (at: number) => [...items.keys()][at] ?? null,
  };
  return new Proxy(methods as unknown as Storage, {
    get: (target, name) => {
      if (name === "length") return items.size;
      if (typeof name === "symbol" || Object.hasOwn(target, name)) return Reflect.get(target, name);
      return items.get(name);
    },
    set: (target, name, value) => {
      target.setItem(String(name), value as string);
      return true;
    },
    has: (target, name) => items.has(String(name)) || Reflect.has(target, name),
    deleteProperty: (_target, name) => {
      items.delete(String(name));
      return true;
    },
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (_target, name) => {
      const value = items.get(String(name));
      return value === undefined
        ? undefined
        : { value, enumerable: true, configurable: true, writable: true };
    },
  });
}

/** Keeps cookie names and values; attributes matter only for removing a cookie. */
function addCookies(): void {
  const cookies = new Map<string, string>();
  Object.defineProperty(Document.prototype, "cookie", {
    configurable: true,
    get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    set: (text: string) => {
      const [pair = "", ...attributes] = String(text).split(";");
      const [name = "", ...value] = pair.split("=");
      const isOver = attributes.some((attribute) => isPast(attribute.trim().toLowerCase()));
      if (isOver) cookies.delete(name.trim());
      else cookies.set(name.trim(), value.join("=").trim());
    },
  });
}

function isPast(attribute: string): boolean {
  const [name, value = ""] = attribute.split("=");
  if (name === "max-age") return Number(value) <= 0;
  return name === "expires" && Date.parse(value) <= Date.now();
}
