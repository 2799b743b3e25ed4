/** The vendor that templates of a channel count for: they have prices of their own. */
export function templateVendor(channel: string): string {
  return `${channel}-template`;
}
