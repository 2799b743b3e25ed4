import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { MessageBox } from "@parley/shared/security/message-box.ts";
import type { ControlApiTools } from "@parley/shared/tool-runs/port.ts";
import type { Databases } from "../database/open.ts";
import type { Module } from "../modules/module.ts";
import { BusServer, type BusServerDeps } from "./bus-server.ts";
import { directTools } from "./direct-tools.ts";
import type { ToolExecutors } from "./executor.ts";
import { findOfCall } from "./find-of-call.ts";
import { VersionTools } from "./store.ts";

export interface ToolsDeps {
  readonly toolExecutors: ToolExecutors;
  readonly database: Databases;
  readonly bus: Bus;
  readonly messages: MessageBox;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Runs tools that need an organization's credentials: for gateways over the bus, for chats and tests directly. */
export function openTools({ toolExecutors: executors, database, bus, messages, clock, log }: ToolsDeps): {
  readonly module: Module;
  readonly controlApiTools: ControlApiTools;
} {
  const { keys, channels } = bus;
  const deps = { executors, keys, clock, log };
  const tools = new VersionTools(database);
  const findTool: BusServerDeps["findTool"] = (place) => findOfCall(place, { tools, executors });
  const server = new BusServer({ ...deps, channels, messages, findTool });
  return {
    module: { name: "tools", start: () => void server.start(), stop: () => server.stop() },
    controlApiTools: directTools({ ...deps, tools }),
  };
}
