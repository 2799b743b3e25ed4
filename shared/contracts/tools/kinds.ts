import { z } from "zod";
import { connectorKind } from "./connector.ts";
import { controlApiToolSchema } from "./control-api-tool.ts";
import { endCallKind } from "./end-call.ts";
import { givenToolSchema } from "./given-tool.ts";
import { handOffKind } from "./hand-off.ts";
import { httpKind } from "./http.ts";
import { knowledgeKind } from "./knowledge.ts";
import { mcpKind } from "./mcp.ts";
import { playKeysKind } from "./play-keys.ts";
import type { ToolKind } from "./tool-kind.ts";
import { transferKind } from "./transfer.ts";

/** Kinds that run where the model is asked. Add new ones here. */
const LOCAL_KINDS = [httpKind, endCallKind, playKeysKind, transferKind, handOffKind] as const;
/** Kinds that run in the control API, which has the credentials. Add new ones here. */
const BUS_KINDS = [connectorKind, mcpKind, knowledgeKind] as const;

type SettingsOf<Kinds extends readonly ToolKind[]> = { -readonly [I in keyof Kinds]: Kinds[I]["settings"] };
const settingsOf = <Kinds extends readonly ToolKind[]>(kinds: Kinds): SettingsOf<Kinds> =>
  kinds.map(({ settings }) => settings) as SettingsOf<Kinds>;

const localSettings = settingsOf(LOCAL_KINDS);
const busSettings = settingsOf(BUS_KINDS);

/** A tool in the settings of an agent with a model. */
export const toolSchema = z.discriminatedUnion("kind", [...localSettings, ...busSettings]);
export type ToolSettings = z.infer<typeof toolSchema>;

/** A tool that a custom brain may request; a tool without credentials it can run itself. */
export const busToolSchema = z.discriminatedUnion("kind", busSettings);
export type BusToolSettings = z.infer<typeof busToolSchema>;

/** A tool in the plan of a call with a custom brain. */
export const requestedToolSchema = z.discriminatedUnion("kind", [controlApiToolSchema, givenToolSchema]);

/** A tool in the plan of a call. */
export const plannedToolSchema = z.discriminatedUnion("kind", [
  ...localSettings,
  controlApiToolSchema,
  givenToolSchema,
]);
export type PlannedTool = z.infer<typeof plannedToolSchema>;

const BY_NAME = new Map<string, ToolKind>(
  [...LOCAL_KINDS, ...BUS_KINDS].map((kind: ToolKind) => [kind.settings.shape.kind.value, kind]),
);
const BUS_NAMES = new Set(busSettings.map(({ shape }) => shape.kind.value as string));

/** The declaration of a kind. Throws for an undeclared kind, which no settings contain. */
export function kindCalled(kind: string): ToolKind {
  const declared = BY_NAME.get(kind);
  if (!declared) throw new Error(`no tool is a ${kind}`);
  return declared;
}

/** Whether a tool runs in the control API. */
export function isBusTool(tool: ToolSettings): tool is BusToolSettings {
  return BUS_NAMES.has(tool.kind);
}

/** The kind of a planned tool, as named in the settings. */
export function kindNameOf(tool: PlannedTool): string {
  return "of" in tool ? tool.of : tool.kind;
}
