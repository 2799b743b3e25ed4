/**
 * What a failed write means. `again`: another writer was in the way; a retry may succeed at once. `away`: the database
 * cannot write now. `data`: this can never be written as it is. `unclear`: not written, and a retry may go either way.
 */
export type Failure = "again" | "away" | "data" | "unclear";

/** Deadlock and serialization failures. */
const AGAIN = ["40"];
/** Connections, resources, operator intervention, system errors, read-only servers. */
const AWAY = ["08", "25", "53", "57", "58"];
/** Cardinality, data, constraints, and server limits such as stack depth. */
const DATA = ["21", "22", "23", "54"];
/** A statement hit its time limit: its rows may be to blame, or what they wait for. */
const QUERY_CANCELED = "57014";
/** Causes of an error searched for its SQLSTATE, since the pool wraps some errors. */
const MAX_CAUSES = 5;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html: classes begin with a digit or are listed here. */
const SQLSTATE = /^(?:\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/** Classifies the error of a transaction. */
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

/** Errors our own code throws for an event it cannot handle. */
function isOurs(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
