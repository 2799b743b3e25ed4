/** Where a vendor's address leads: to itself, or with the same path to a development's or a test's fake. */
export function vendorAddress(url: string, instead: string | undefined): string {
  if (instead === undefined) return url;
  const { pathname, search } = new URL(url);
  return `${new URL(instead).origin}${pathname}${search}`;
}
