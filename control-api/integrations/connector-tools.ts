import type { ConnectorTool } from "@parley/shared/contracts/tools/connector.ts";
import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";
import type { ToolDescription, ToolExecutor, ToolFault, ToolOutcome, ToolRun } from "../tools/executor.ts";
import { CAPABILITIES, isCapability } from "./capabilities/all.ts";
import { CapabilityError, type CapabilityErrorCode } from "./capability-error.ts";
import { findConnection, holdConnection } from "./connections/store.ts";
import { capabilitiesOf } from "./connector.ts";
import type { IntegrationParts } from "./deps.ts";
import {
  type CapabilityRequest,
  type CapabilityResult,
  findServing,
  type Serving,
} from "./run-capability.ts";
import type { Run } from "./vendor/open-context.ts";

const GONE: ToolFault = {
  field: "connectionId",
  text: "there is no such connection in this organization",
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Arguments of each capability as JSON Schema, made once: a live call waits for its tool's description. */
const ARGUMENTS: ReadonlyMap<string, JsonSchema> = new Map(
  Object.entries(CAPABILITIES).map(([id, { arguments: schema }]): [string, JsonSchema] => [
    id,
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  ]),
);

export interface ConnectorToolsDeps extends Pick<IntegrationParts, "database" | "connectors"> {
  readonly run: (request: CapabilityRequest, run: Run) => Promise<CapabilityResult>;
}

/** Agents' tools that act in connected systems. */
export function connectorTools(deps: ConnectorToolsDeps): ToolExecutor<ConnectorTool> {
  return {
    describe: async (tool) => describe(tool),
    faults: (tool, orgId) => faultsOf(tool, orgId, deps),
    hold: async ({ connectionId }, orgId, trx) =>
      connectionId === undefined || (await holdConnection(trx, orgId, connectionId)) ? [] : [GONE],
    run: (tool, run) => act(tool, run, deps),
    prepare: (tool, orgId) => {
      const { capability, connectionId } = tool;
      if (!isCapability(capability)) return (run) => act(tool, run, deps);
      const serving = findServing({ orgId, capability, connectionId }, deps);
      // Whoever runs the tool sees a failure; another process may run it.
      serving.catch(() => undefined);
      return (run) => act(tool, run, deps, serving);
    },
  };
}

async function act(
  { capability, connectionId, bind, timeoutMs }: ConnectorTool,
  { orgId, sessionId, arguments: given, signal, idempotencyKey }: ToolRun,
  deps: ConnectorToolsDeps,
  serving?: Promise<Serving>,
): Promise<ToolOutcome> {
  const request = { orgId, capability, connectionId, args: { ...given, ...bind }, serving };
  try {
    const { result } = await deps.run(request, { signal, deadlineMs: timeoutMs, idempotencyKey, sessionId });
    return { status: "success", result };
  } catch (error) {
    if (error instanceof CapabilityError) return refused(error);
    throw error;
  }
}

function describe({ capability, description, bind }: ConnectorTool): ToolDescription | undefined {
  if (!isCapability(capability)) return undefined;
  const known = CAPABILITIES[capability];
  return {
    description: description ?? known.description,
    parameters: parametersOf(ARGUMENTS.get(capability) ?? {}, Object.keys(bind)),
    // Whether the vendor honors idempotency keys is only known once a connection is chosen.
    effect: known.isWrite ? "write_once" : "read",
  };
}

/** The arguments left to the model: fixed ones are excluded. */
function parametersOf(schema: JsonSchema, fixed: readonly string[]): Readonly<Record<string, unknown>> {
  const { $schema: _, properties = {}, required = [], ...rest } = schema;
  const isOpen = (name: string): boolean => !fixed.includes(name);
  const open = Object.fromEntries(Object.entries(properties).filter(([name]) => isOpen(name)));
  return { ...rest, properties: open, required: required.filter(isOpen) };
}

async function faultsOf(
  { capability, connectionId, bind }: ConnectorTool,
  orgId: string,
  { database, connectors }: ConnectorToolsDeps,
): Promise<ToolFault[]> {
  const serving = [...connectors.values()].filter((connector) =>
    capabilitiesOf(connector).some((id) => id === capability),
  );
  if (!isCapability(capability) || serving.length === 0) {
    const known = [...new Set([...connectors.values()].flatMap(capabilitiesOf))].sort().join(", ");
    return [{ field: "capability", text: `no connector can do ${capability}; there are ${known}` }];
  }
  const faults = unknownArguments(ARGUMENTS.get(capability) ?? {}, Object.keys(bind));
  if (connectionId === undefined) return faults;
  const row = await findConnection(database.db, orgId, connectionId);
  if (!row) return [...faults, GONE];
  if (serving.some(({ id }) => id === row.provider_id)) return faults;
  const name = connectors.get(row.provider_id)?.name ?? row.provider_id;
  return [
    ...faults,
    { field: "connectionId", text: `is a connection of ${name}, which cannot do ${capability}` },
  ];
}

function unknownArguments({ properties = {} }: JsonSchema, fixed: readonly string[]): ToolFault[] {
  const unknown = fixed.filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return [];
  const known = Object.keys(properties).join(", ");
  return [{ field: "bind", text: `${unknown.join(", ")} is no argument of it; there are ${known}` }];
}

/** Errors after which the write may have happened. */
const UNKNOWN: Partial<Record<CapabilityErrorCode, "vendor_failed" | "deadline_exceeded">> = {
  vendor_failed: "vendor_failed",
  timed_out: "deadline_exceeded",
};

function refused({ code, message, retryAfterSecs }: CapabilityError): ToolOutcome {
  const unknown = UNKNOWN[code];
  if (unknown) throw new AppError(unknown, message);
  const wait = retryAfterSecs === undefined ? {} : { retryAfterSecs };
  return { status: "error", result: { error: { code, message, ...wait } } };
}
