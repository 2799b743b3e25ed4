import { z } from "zod";
import { connectorKind } from "./connector.ts";
import { controlApiToolSchema } from "./control-api-tool.ts";
import { endCallKind } from "./end-call.ts";
import { handOffKind } from "./hand-off.ts";
import { httpKind } from "./http.ts";
import { knowledgeKind } from "./knowledge.ts";
import { mcpKind } from "./mcp.ts";
import { playKeysKind } from "./play-keys.ts";
import type { ToolKind } from "./tool-kind.ts";
import { transferKind } from "./transfer.ts";

/** Kinds that run where the model is asked. A new one is a line here. */
const LOCAL_KINDS = [httpKind, endCallKind, playKeysKind, transferKind, handOffKind] as const;
/** Kinds that run in the control API, which has the credentials. A new one is a line here. */
const BUS_KINDS = [connectorKind, mcpKind, knowledgeKind] as const;

type SettingsOf<Kinds extends readonly ToolKind[]> = { -readonly [I in keyof Kinds]: Kinds[I]["settings"] };
const settingsOf = <Kinds extends readonly ToolKind[]>(kinds: Kinds): SettingsOf<Kinds> =>
  kinds.map(({ settings }) => settings) as SettingsOf<Kinds>;

const localSettings = settingsOf(LOCAL_KINDS);
const busSettings = settingsOf(BUS_KINDS);

/** A tool as the settings of a model's agent have it. */
export const toolSchema = z.discriminatedUnion("kind", [...localSettings, ...busSettings]);
export type ToolSettings = z.infer<typeof toolSchema>;

/** A tool that a custom brain may ask for: what needs no credentials it can do itself. */
export const busToolSchema = z.discriminatedUnion("kind", busSettings);
export type BusToolSettings = z.infer<typeof busToolSchema>;

/** A tool as the plan of a call has it. */
export const plannedToolSchema = z.discriminatedUnion("kind", [...localSettings, controlApiToolSchema]);
export type PlannedTool = z.infer<typeof plannedToolSchema>;

const BY_NAME = new Map<string, ToolKind>(
  [...LOCAL_KINDS, ...BUS_KINDS].map((kind: ToolKind) => [kind.settings.shape.kind.value, kind]),
);
const BUS_NAMES = new Set(busSettings.map(({ shape }) => shape.kind.value as string));

/** What is declared of a kind. Throws for one that is not declared, which no settings have. */
export function kindCalled(kind: string): ToolKind {
  const declared = BY_NAME.get(kind);
  if (!declared) throw new Error(`no tool is a ${kind}`);
  return declared;
}

/** Whether a tool runs in the control API. */
export function isBusTool(tool: ToolSettings): tool is BusToolSettings {
  return BUS_NAMES.has(tool.kind);
}

/** The settings' name of a planned tool's kind. */
export function kindNameOf(tool: PlannedTool): string {
  return tool.kind === "control_api" ? tool.of : tool.kind;
}
