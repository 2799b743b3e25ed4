/**
 * Lists, shows, repairs, replays and drops dead call events, which could not be recorded.
 * Reads the same environment as the control API; dead events are in Redis.
 *
 * Usage: node scripts/dead-events.ts list
 *        node scripts/dead-events.ts show <id>
 *        node scripts/dead-events.ts replay <id>|all [--set <field>=<JSON value>]…
 *        node scripts/dead-events.ts drop <id>|all
 */
import { parseArgs } from "node:util";
import {
  dropDeadEvent,
  findDeadEvent,
  type ListedDeadEvent,
  listDeadEvents,
  type Mend,
  replayDeadEvent,
} from "@parley/control-api/records/projector/dead-events.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { createLogger } from "@parley/shared/log.ts";

const USAGE =
  "Usage: dead-events.ts list | show <id> | replay <id>|all [--set <field>=<JSON>]… | drop <id>|all";

/** Setting these for all events would merge them, or move content to another call or organization. */
const OWN_FIELDS = ["id", "sessionId", "orgId", "seq"];

/** Throws with a message for the user. */
async function run(streams: Bus["streams"]): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { set: { type: "string", multiple: true } },
  });
  const [command, id] = positionals;
  if (command === "list") return list(await listDeadEvents(streams));
  if (id === undefined) throw new Error(USAGE);
  if (command === "show") return show(await findDeadEvent(streams, id));
  const chosen = id === "all" ? await listDeadEvents(streams) : [await findDeadEvent(streams, id)];
  if (command === "replay") {
    const mend = mendOf(values.set ?? []);
    const own = OWN_FIELDS.find((field) => field in mend);
    if (id === "all" && own !== undefined)
      throw new Error(`--set ${own}: each event has its own; replay one by its id`);
    for (const dead of chosen) await replay(streams, dead, mend);
  } else if (command === "drop") {
    for (const { deadId } of chosen) {
      await dropDeadEvent(streams, deadId);
      console.log(`${deadId} was dropped`);
    }
  } else throw new Error(USAGE);
}

/** An invalid event must not keep those behind it from being replayed. */
async function replay(streams: Bus["streams"], dead: ListedDeadEvent, mend: Mend): Promise<void> {
  try {
    await replayDeadEvent(streams, dead, mend);
    console.log(`${dead.deadId} was handed to the event projector`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function list(all: readonly ListedDeadEvent[]): void {
  for (const { deadId, at, tries, reason, payload } of all)
    console.log([deadId, at, namesIn(payload), `tries ${tries}`, firstLine(reason)].join("  "));
  console.log(all.length === 1 ? "1 event" : `${all.length} events`);
}

/** Shows the content too: whoever may read Redis may read it. */
function show({ payload, ...about }: ListedDeadEvent): void {
  console.log(JSON.stringify({ ...about, event: asJson(payload) }, null, 2));
}

function namesIn(payload: string): string {
  const event = asJson(payload);
  if (typeof event !== "object" || event === null) return "(no event)";
  const { type, sessionId, orgId } = event as Record<string, unknown>;
  return [type, sessionId, orgId].map((name) => String(name)).join(" ");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function mendOf(assignments: readonly string[]): Mend {
  const fields = assignments.map((assignment): [string, unknown] => {
    const at = assignment.indexOf("=");
    if (at < 1) throw new Error(`--set ${assignment}: write <field>=<JSON value>`);
    try {
      return [assignment.slice(0, at), JSON.parse(assignment.slice(at + 1))];
    } catch {
      throw new Error(`--set ${assignment}: the value is not JSON. Put text in double quotes`);
    }
  });
  return Object.fromEntries(fields);
}

const { redisUrl, redisPrefix, lanes } = loadConfig(process.env).storage;
if (redisUrl === undefined) {
  console.error(
    "REDIS_URL is not set. Without Redis, what is put aside ends with its process; its log names it.",
  );
  process.exit(1);
}
const log = createLogger({ level: "warn", format: "pretty", name: "dead-events" });
const bus = await connectRedisBus({ url: redisUrl, log, keyPrefix: redisPrefix, lanes });
try {
  await run(bus.streams);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  await bus.close();
}
