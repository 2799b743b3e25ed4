/** Carriers that write numbers without the plus. */
export function withoutPlus(e164: string): string {
  return e164.replace(/^\+/, "");
}

/** E.164 again; what is no number (a name, `anonymous`) stays as it is. */
export function withPlus(number: string): string {
  return /^[1-9]\d{5,14}$/.test(number) ? `+${number}` : number;
}
