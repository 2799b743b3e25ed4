import { AGENT_METHODS } from "./agents.ts";
import { AI_METHODS } from "./ai.ts";
import { CALL_METHODS } from "./calls.ts";
import { CAMPAIGN_METHODS } from "./campaigns.ts";
import { CONNECTOR_METHODS } from "./connector.ts";
import { DATA_METHODS } from "./data.ts";
import type { ArgsOf, Method } from "./define.ts";
import { FILE_METHODS } from "./files.ts";
import { HTTP_METHODS } from "./http.ts";
import { LINK_METHODS } from "./links.ts";
import { MEMBER_METHODS } from "./members.ts";
import { SESSION_METHODS } from "./session.ts";
import { SETTINGS_METHODS, THEME_METHODS, UI_METHODS } from "./ui.ts";
import { WHATSAPP_METHODS } from "./whatsapp.ts";

/**
 * The single table of bridge methods. Router, allow list, types, mock, documentation and the matrix test
 * derive from it.
 */
export const METHODS = [
  ...DATA_METHODS,
  ...AGENT_METHODS,
  ...CALL_METHODS,
  ...WHATSAPP_METHODS,
  ...SESSION_METHODS,
  ...HTTP_METHODS,
  ...FILE_METHODS,
  ...AI_METHODS,
  ...LINK_METHODS,
  ...MEMBER_METHODS,
  ...CAMPAIGN_METHODS,
  ...CONNECTOR_METHODS,
  ...UI_METHODS,
  ...SETTINGS_METHODS,
  ...THEME_METHODS,
] as const;

type Entry = (typeof METHODS)[number];
export type MethodName = Entry["name"];
/** A method's entry, by name. */
export type MethodOf<N extends MethodName> = Extract<Entry, { readonly name: N }>;
/** A method's arguments as its handler gets them. */
export type MethodArgs<N extends MethodName> = ArgsOf<MethodOf<N>["params"]>;
/** What a method resolves to. */
export type MethodResult<N extends MethodName> = MethodOf<N>["result"]["_zod"]["output"];

const BY_NAME: ReadonlyMap<string, Method> = new Map(
  METHODS.map((entry): [string, Method] => [entry.name, entry]),
);

/** Finds a method by name; returns undefined for any unknown name. */
export function findMethod(name: string): Method | undefined {
  return BY_NAME.get(name);
}
