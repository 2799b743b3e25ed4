import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { invalidInput, problemsOf } from "@parley/shared/contracts/problems.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { z } from "zod";
import { CAPABILITIES, type CapabilityId, isCapability } from "./capabilities/all.ts";
import { CapabilityError, type CapabilityErrorCode } from "./capability-error.ts";
import { accountOf } from "./connections/rows.ts";
import { noteRun } from "./connections/runs.ts";
import {
  type ConnectionRow,
  findConnection,
  findNewestActive,
  updateConnection,
} from "./connections/store.ts";
import { type Connector, type ConnectorContext, capabilitiesOf } from "./connector.ts";
import type { IntegrationParts } from "./deps.ts";
import { openContext, type Run } from "./vendor/open-context.ts";
import { VendorError, type VendorProblem } from "./vendor/vendor.ts";

/** A capability, and the account to run it in. */
export interface CapabilityPlace<Capability = string> {
  readonly orgId: string;
  readonly capability: Capability;
  /** Pinned by the builder; otherwise the newest active connection that serves the capability. */
  readonly connectionId?: string | undefined;
  /** Restricts the connector when no connection is pinned. */
  readonly providerId?: string | undefined;
}

/** The capability to run, and the account. */
export interface CapabilityRequest extends CapabilityPlace {
  /** As the model filled them in. */
  readonly args: unknown;
  /** What `findServing` gives, where that was begun before. */
  readonly serving?: Promise<Serving> | undefined;
}

/** The connection that serves a capability. */
export interface Serving {
  readonly row: ConnectionRow;
  readonly connector: Connector;
}

export interface CapabilityResult {
  readonly connectionId: string;
  readonly providerId: string;
  /** In the capability's shape, whichever connector served it. */
  readonly result: unknown;
  /** The connector's time in milliseconds. */
  readonly tookMs: number;
}

type AnyAction = (args: unknown, context: ConnectorContext) => Promise<unknown>;

/**
 * Runs one capability once, in an organization's account. Throws `CapabilityError`, and the signal's reason when the
 * requester is gone. Never repeats a write by itself; `idempotencyKey` is passed to vendors that take one.
 */
export async function runCapability(
  request: CapabilityRequest,
  run: Run,
  parts: IntegrationParts,
): Promise<CapabilityResult> {
  const id = knownCapability(request.capability);
  const args = checkedArguments(id, request.args);
  const found = await (request.serving ?? findServing({ ...request, capability: id }, parts));
  const startMs = parts.clock.monotonicMs();
  const note = (outcome: string): void => {
    const tookMs = parts.clock.monotonicMs() - startMs;
    const of = { orgId: request.orgId, connectionId: found.row.id, sessionId: run.sessionId };
    noteRun({ ...of, capability: id, outcome, tookMs }, parts);
  };
  try {
    const result = await act({ ...found, id, args, orgId: request.orgId }, run, parts);
    note("success");
    return result;
  } catch (error) {
    const failure = error instanceof CapabilityError ? error.code : "internal";
    note(run.signal.aborted ? "abandoned" : failure);
    throw error;
  }
}

interface Order extends Serving {
  readonly id: CapabilityId;
  readonly args: unknown;
  readonly orgId: string;
}

async function act(
  { row, connector, id, args, orgId }: Order,
  run: Run,
  parts: IntegrationParts,
): Promise<CapabilityResult> {
  const account = await accountOf(parts.database.db, row, parts.dataKeys);
  const owned = { orgId, connectionId: row.id, version: row.version };
  const context = openContext(connector, account, { ...owned, ...run }, parts);
  const startMs = parts.clock.monotonicMs();
  const action = connector.actions[id] as AnyAction;
  const raw = await action(args, context).catch(async (error: unknown) => {
    run.signal.throwIfAborted();
    if (!(error instanceof VendorError)) throw crashed(error, { id, connector, orgId }, parts);
    if (error.problem === "unauthorized") await keepRefusal(row, error, parts);
    throw asCapabilityError(error, connector);
  });
  const tookMs = parts.clock.monotonicMs() - startMs;
  const checked = CAPABILITIES[id].result.safeParse(raw);
  if (!checked.success) throw crashed(checked.error, { id, connector, orgId }, parts);
  if (row.status === "error")
    await updateConnection(
      parts.database.db,
      { ...row, at: row.updated_at },
      { status: "active", last_error: null },
    );
  return { connectionId: row.id, providerId: connector.id, result: checked.data, tookMs };
}

function knownCapability(id: string): CapabilityId {
  if (isCapability(id)) return id;
  throw new CapabilityError("invalid_arguments", `There is no capability ${id}.`);
}

function checkedArguments(id: CapabilityId, args: unknown): unknown {
  const schema: z.ZodType = CAPABILITIES[id].arguments;
  const parsed = schema.safeParse(args ?? {}, { error: plainEnglish });
  if (parsed.success) return parsed.data;
  const { message } = invalidInput("body", problemsOf(parsed.error.issues, "body"));
  throw new CapabilityError("invalid_arguments", message.replace("Invalid body", "Invalid arguments"));
}

/** The connection that serves a capability. Throws `CapabilityError` connection_missing. */
export async function findServing(
  { orgId, capability, connectionId, providerId }: CapabilityPlace<CapabilityId>,
  { database, connectors }: Pick<IntegrationParts, "database" | "connectors">,
): Promise<Serving> {
  const serving = [...connectors.values()].filter((connector) =>
    capabilitiesOf(connector).includes(capability),
  );
  const ids = serving.map(({ id }) => id).filter((id) => providerId === undefined || id === providerId);
  const row =
    connectionId === undefined
      ? await findNewestActive(database.db, orgId, ids)
      : await findConnection(database.db, orgId, connectionId);
  const connector = row && serving.find(({ id }) => id === row.provider_id);
  if (row && connector && row.status !== "disconnected") return { row, connector };
  const message =
    connectionId === undefined
      ? "No system is connected that can do this."
      : "The system that this should be done in is not connected.";
  throw new CapabilityError("connection_missing", message);
}

const CODES: Readonly<Record<VendorProblem, CapabilityErrorCode>> = {
  unauthorized: "denied",
  denied: "denied",
  not_found: "not_found",
  rate_limited: "rate_limited",
  rejected: "invalid_arguments",
  unreachable: "vendor_failed",
  failed: "vendor_failed",
  timed_out: "timed_out",
};

function asCapabilityError(error: VendorError, { name }: Connector): CapabilityError {
  const options = {
    cause: error,
    ...(error.retryAfterSecs === undefined ? {} : { retryAfterSecs: error.retryAfterSecs }),
  };
  const code = CODES[error.problem];
  if (code === "denied")
    return new CapabilityError(code, `${name} does not allow this at the moment.`, options);
  return new CapabilityError(code, error.message, options);
}

/** Shows the refusal at the connection: nothing works until new credentials are entered. */
async function keepRefusal(
  row: ConnectionRow,
  error: VendorError,
  { database, clock }: IntegrationParts,
): Promise<void> {
  const at = new Date(clock.wallMs());
  await updateConnection(database.db, { ...row, at }, { status: "error", last_error: error.message });
}

function crashed(
  error: unknown,
  { id, connector, orgId }: { id: string; connector: Connector; orgId: string },
  { log }: IntegrationParts,
): CapabilityError {
  const facts = { capability: id, provider: connector.id, orgId, err: messageOf(error) };
  log.error({ event: "capability_crashed", ...facts }, "failed to run a capability for a reason of our own");
  return new CapabilityError("vendor_failed", `${connector.name} sent an invalid response.`, {
    cause: error,
  });
}
