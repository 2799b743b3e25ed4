import { STANDARD_BUDGETS } from "./budgets.ts";
import { optional, standard, url, whole } from "./field.ts";

const postgres = url(["postgres", "postgresql"]);
const connections = whole("a number from 2 to 500", 2, 500);
const millis = (min: number, max: number) => whole(`whole ms from ${min} to ${max}`, min, max);

/** Postgres, and how much of it a control API takes. */
export const DATABASE_FIELDS = {
  DATABASE_URL: optional(postgres, "Postgres; without it an embedded one in DATA_DIR.", { secret: true }),
  DATABASE_DIRECT_URL: optional(
    postgres,
    "The same Postgres without the pooler, if DATABASE_URL leads to one with transaction pooling: for migrations, long indexes and locks.",
    { secret: true },
  ),
  DATABASE_REPLICA_URL: optional(
    postgres,
    "A standby of that Postgres, for lists, searches and analytics; without it the primary answers them.",
    { secret: true },
  ),
  DATABASE_REPLICA_WAIT_MS: standard(
    millis(20, 10_000),
    "250",
    "How long a list waits for the standby to have what was written before; then the primary answers it.",
  ),
  DATABASE_CALL_CONNECTIONS: standard(
    connections,
    String(STANDARD_BUDGETS.calls.connections),
    "Connections to Postgres for what begins, answers and controls calls, a control API.",
  ),
  DATABASE_READ_CONNECTIONS: standard(
    connections,
    String(STANDARD_BUDGETS.reads.connections),
    "Connections for lists and searches.",
  ),
  DATABASE_BACKGROUND_CONNECTIONS: standard(
    connections,
    String(STANDARD_BUDGETS.background.connections),
    "Connections for the event projector, webhooks and sweepers.",
  ),
  DATABASE_READ_TIMEOUT_MS: standard(
    millis(100, 60_000),
    String(STANDARD_BUDGETS.reads.statementTimeoutMs),
    "How long a list or search may take before it is answered with 503 `search_too_slow`.",
  ),
};
