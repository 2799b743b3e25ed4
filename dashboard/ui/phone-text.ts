const NORTH_AMERICA = /^\+1(\d{3})(\d{3})(\d{4})$/;

/** Formats an API number (E.164) for people, where that needs no tables of all countries. */
export function phoneText(e164: string): string {
  return e164.replace(NORTH_AMERICA, "+1 $1 $2 $3");
}
