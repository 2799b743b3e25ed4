import { Client, type QueryArrayConfig, type QueryArrayResult } from "pg";
import type { ConnectorContext } from "../../connector.ts";
import { VendorError, type VendorSession } from "../../vendor/vendor.ts";
import { refusalOf } from "./refusals.ts";
import { type Target, targetOf } from "./target.ts";

const MAX_STATEMENT_MS = 5_000;
const LOCK_MS = 2_000;

/** Any of these roles can escape a read-only transaction: by programs, files, or other sessions. */
const TOO_MUCH = [
  "pg_execute_server_program",
  "pg_write_server_files",
  "pg_read_server_files",
  "pg_signal_backend",
];

/** Keeps every value as text. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Runs one statement with its values as parameters. */
export type RunStatement = (
  text: string,
  values?: readonly unknown[],
) => Promise<QueryArrayResult<(string | null)[]>>;

/**
 * Runs `work` in a read-only transaction on its own connection and rolls it back
 * (docs/decisions/integrations.md#postgres-read-only). Throws `VendorError`.
 */
export function inReadOnly<T>(
  { vendor, credentials, settings }: ConnectorContext,
  work: (run: RunStatement, target: Target) => Promise<T>,
): Promise<T> {
  const target = targetOf(credentials);
  return vendor.converse(target, async (session) => {
    const client = open(target, settings, session);
    // Pending queries report the error as well.
    client.on("error", () => undefined);
    try {
      await client.connect();
      const run: RunStatement = (text, values = []) => {
        // Without values the driver would use the simple protocol, which accepts several statements.
        const extended: QueryArrayConfig & { queryMode: "extended" } = {
          text,
          values: [...values],
          rowMode: "array",
          queryMode: "extended",
          types: AS_TEXT,
        };
        return client.query(extended);
      };
      await run("BEGIN READ ONLY");
      await refusePowers(run);
      const result = await work(run, target);
      await run("ROLLBACK");
      client.end().catch(() => undefined);
      return result;
    } catch (error) {
      throw refusalOf(error);
    }
  });
}

function open(
  target: Target,
  { tls, ca }: Readonly<Record<string, string>>,
  { socket, leftMs, isTlsRequired }: VendorSession,
): Client {
  if (tls === "off" && isTlsRequired)
    throw new VendorError("rejected", "Connections to Postgres have to be encrypted: leave TLS empty.");
  const statementMs = Math.min(MAX_STATEMENT_MS, leftMs);
  return new Client({
    ...target,
    application_name: "Parley",
    stream: () => socket,
    ssl: tls === "off" ? false : { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    options: [
      "default_transaction_read_only=on",
      `statement_timeout=${statementMs}`,
      `lock_timeout=${LOCK_MS}`,
      `idle_in_transaction_session_timeout=${MAX_STATEMENT_MS}`,
      "standard_conforming_strings=on",
    ]
      .map((option) => `-c ${option}`)
      .join(" "),
  });
}

/** Must be the transaction's first query: after a query it can no longer become read-write. */
async function refusePowers(run: RunStatement): Promise<void> {
  const { rows } = await run(
    `select r.rolsuper or r.rolreplication or exists (
       select from pg_roles g where g.rolname = any($1) and pg_has_role(g.oid, 'member'))
     from pg_roles r where r.rolname = current_user`,
    [TOO_MUCH],
  );
  if (rows[0]?.[0] === "f") return;
  throw new VendorError(
    "denied",
    "This user may do more than read (it is a superuser, or may run programs, read files or stop others). Connect with a user that may only SELECT.",
  );
}
