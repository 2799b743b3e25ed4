import { z } from "zod";

/** A scope an app may ask for: as the manifest writes it, and as administrators read it before they agree. */
interface ScopeFamily {
  /** The whole scope, or its prefix when `rest` follows. */
  readonly scope: string;
  /** What follows the prefix; undefined when nothing does. */
  readonly rest?: { readonly pattern: RegExp; readonly shown: string };
  /** Describes what the scope allows; `rest` is the text after the prefix. */
  readonly words: (rest: string) => string;
}

export const OBJECT_TYPE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** A lowercase host name of two labels or more; a first label of `*` stands for exactly one label. */
export const SCOPE_HOST =
  /^(?=.{4,253}$)(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const PROVIDER = /^[a-z][a-z0-9_-]{0,63}$/;
/** Groups of an agent's settings that an app may be allowed to change. */
export const CONFIG_GROUPS = ["prompt", "model", "voice", "behavior", "flow"] as const;
export type ConfigGroup = (typeof CONFIG_GROUPS)[number];

const FAMILIES: readonly ScopeFamily[] = [
  {
    scope: "objects:",
    rest: { pattern: OBJECT_TYPE, shown: "<type>" },
    words: (type) => `Keep and change its own records of type “${type}”`,
  },
  {
    scope: "http:",
    rest: { pattern: SCOPE_HOST, shown: "<host>" },
    words: (host) => `Send data to ${host} and read its answers`,
  },
  {
    scope: "connection:",
    rest: { pattern: PROVIDER, shown: "<provider>" },
    words: (provider) => `Act in the organization’s connected ${provider} accounts`,
  },
  {
    scope: "agents:config:write:",
    rest: { pattern: new RegExp(`^(${CONFIG_GROUPS.join("|")})$`), shown: "<group>" },
    words: (group) => `Change the ${group} of agents`,
  },
  {
    scope: "agents:read",
    words: () => "See agents and their public links, and create agents from its templates",
  },
  { scope: "agents:write", words: () => "Make agents public or private" },
  { scope: "agents:config:read", words: () => "Read how agents are set up: prompt, model, voice, behavior" },
  { scope: "calls:read", words: () => "Read calls, what was said in them, and follow live calls" },
  { scope: "calls:initiate", words: () => "Place phone calls, which cost money" },
  { scope: "calls:transcribe:live", words: () => "Read live calls as they are spoken" },
  { scope: "whatsapp:send", words: () => "Send WhatsApp messages as the organization" },
  { scope: "softphone:dial", words: () => "Open the dialer with a number filled in" },
  { scope: "session:token", words: () => "Tell its own server who is signed in" },
  { scope: "files:read", words: () => "Read the files it stored" },
  { scope: "files:write", words: () => "Store and delete files of its own" },
  { scope: "ai:llm", words: () => "Ask language models, which costs money" },
  { scope: "ai:tts", words: () => "Make speech of text, which costs money" },
  { scope: "ai:stt", words: () => "Nothing yet: it is kept for speech recognition" },
  { scope: "links:read", words: () => "See and revoke the links it made" },
  { scope: "links:write", words: () => "Make links that people outside of the organization can open" },
  { scope: "members:read", words: () => "See the members of the organization with name, email and role" },
  { scope: "campaigns:write", words: () => "See campaigns and add people to call to them" },
  { scope: "user:profile", words: () => "See the name and email of the person who uses it" },
];

/** Each scope as documentation writes it: `objects:<type>`, `agents:read`. */
export const SCOPES_SHOWN: readonly string[] = FAMILIES.map(
  ({ scope, rest }) => `${scope}${rest?.shown ?? ""}`,
);

/** A scope as manifests write it. */
export const scopeSchema = z
  .string()
  .max(320)
  .refine((scope) => familyOf(scope) !== undefined, {
    error: `must be one of ${SCOPES_SHOWN.join(", ")}`,
  });

/** Describes what a scope allows, for whoever installs the app. */
export function scopeInWords(scope: string): string {
  const family = familyOf(scope);
  return family ? family.words(scope.slice(family.scope.length)) : scope;
}

/** Whether the grants cover a needed scope: literally, or by a wildcard of its host. */
export function isGranted(granted: readonly string[], needed: string): boolean {
  if (granted.includes(needed)) return true;
  if (!needed.startsWith("http:")) return false;
  const [first, ...others] = needed.slice("http:".length).split(".");
  return first !== "*" && others.length > 1 && granted.includes(`http:*.${others.join(".")}`);
}

function familyOf(scope: string): ScopeFamily | undefined {
  return FAMILIES.find((family) => {
    if (!family.rest) return scope === family.scope;
    return scope.startsWith(family.scope) && family.rest.pattern.test(scope.slice(family.scope.length));
  });
}
