/** For carriers that write numbers without the plus. */
export function withoutPlus(e164: string): string {
  return e164.replace(/^\+/, "");
}

/** Restores E.164; leaves values that are not numbers (a name, `anonymous`) unchanged. */
export function withPlus(number: string): string {
  return /^[1-9]\d{5,14}$/.test(number) ? `+${number}` : number;
}
