/** A vendor's address, or the same path at a fake used in development or tests. */
export function vendorAddress(url: string, instead: string | undefined): string {
  if (instead === undefined) return url;
  const { pathname, search } = new URL(url);
  return `${new URL(instead).origin}${pathname}${search}`;
}
