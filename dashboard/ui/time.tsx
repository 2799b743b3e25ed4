const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A point in time, in the reader's own zone. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;
}

/** The same to the second. */
export function ExactTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{EXACT.format(new Date(at))}</time>;
}
