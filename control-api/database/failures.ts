/**
 * What a failed write means. `again`: another writer was in the way, and the same write may succeed at once. `away`: the
 * database cannot write anything now. `data`: this can never be written as it is. `unclear`: this was not written, and
 * nobody knows what the next try brings.
 */
export type Failure = "again" | "away" | "data" | "unclear";

/** Deadlock and serialization failures. */
const AGAIN = ["40"];
/** Connections, resources, operator intervention, system errors, a server that only reads. */
const AWAY = ["08", "25", "53", "57", "58"];
/** Cardinality, data, constraints, and limits of the server such as the depth of its stack. */
const DATA = ["21", "22", "23", "54"];
/** A statement that ran into its time limit: its rows may be to blame, or what they wait for. */
const QUERY_CANCELED = "57014";
/** How far down an error's causes its state is looked for: the pool has words of its own for some. */
const MAX_CAUSES = 5;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html: a class begins with a digit, or is one of these. */
const SQLSTATE = /^(?:\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/** Reads an error of a transaction. */
export function failureOf(error: unknown): Failure {
  const state = sqlStateOf(error);
  if (state === undefined) return isOurs(error) ? "data" : "away";
  const group = state.slice(0, 2);
  if (state === QUERY_CANCELED) return "unclear";
  if (AGAIN.includes(group)) return "again";
  if (AWAY.includes(group)) return "away";
  return DATA.includes(group) ? "data" : "unclear";
}

function sqlStateOf(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth++, at = at.cause) {
    const code: unknown = Reflect.get(at, "code");
    if (typeof code === "string" && SQLSTATE.test(code)) return code;
  }
  return undefined;
}

/** What our own code makes of an event it cannot deal with. */
function isOurs(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
