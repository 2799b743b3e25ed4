import type { ConnectorContext, Verified } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { bounded } from "./actions.ts";
import { type NamedQuery, readQueries } from "./queries.ts";
import { refusalOf } from "./refusals.ts";
import { inReadOnly, type RunStatement } from "./transaction.ts";

/** Signs in, checks the user's powers beyond reading, and prepares each query. */
export function verify(context: ConnectorContext): Promise<Verified> {
  return inReadOnly(context, async (run, { host, database }) => ({
    account: `${database} at ${host}`,
    warnings: [
      ...(await powers(run)),
      ...(await faults(run, readQueries(context.settings.queries ?? ""))),
      ...(context.settings.tls === "off"
        ? ["The connection is not encrypted: others on the network can read it, including the password."]
        : []),
    ],
  }));
}

const POWERS = `
  select
    (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'f', 'v') and n.nspname !~ '^(pg_|information_schema$)'
        and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'insert, update, delete, truncate')),
    (select rolcreaterole or rolcreatedb or rolbypassrls from pg_roles where rolname = current_user),
    exists (select from pg_proc where proname ~ '^dblink' and has_function_privilege(oid, 'execute')),
    current_user`;

async function powers(run: RunStatement): Promise<string[]> {
  const { rows } = await run(POWERS);
  const [tables, manages, reaches, user] = rows[0] ?? [];
  return [
    ...(tables === "0"
      ? []
      : [`The user ${user} may write to ${tables} tables. Parley only reads; give it SELECT alone.`]),
    ...(manages === "t"
      ? [`The user ${user} may create users or databases, or sees rows that are hidden from others.`]
      : []),
    ...(reaches === "t"
      ? [`The user ${user} may call dblink, which reaches other databases; revoke it.`]
      : []),
  ];
}

/** The server's error for each faulty query. */
async function faults(run: RunStatement, queries: readonly NamedQuery[]): Promise<string[]> {
  const found: string[] = [];
  for (const query of queries) {
    await run("SAVEPOINT prepared");
    try {
      await run(`PREPARE checked AS ${bounded(query)}`);
      await run("DEALLOCATE checked");
    } catch (error) {
      const refusal = refusalOf(error);
      if (!(refusal instanceof VendorError)) throw error;
      found.push(`The query ${query.name} cannot run. ${refusal.message}`);
    }
    await run("ROLLBACK TO SAVEPOINT prepared");
  }
  return found;
}
