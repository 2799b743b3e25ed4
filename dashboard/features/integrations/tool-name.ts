/** A capability or a server's tool under a name models may call: `order.lookup` becomes `order_lookup`. */
export function toolNameOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_CHARS);
}

const MAX_CHARS = 64;
