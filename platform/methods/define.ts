import type { z } from "zod";
import type { RoleGate } from "./gates.ts";
import { DEFAULT_LIMITS, type MethodLimits } from "./limits.ts";

/** A method's arguments in order, by name. */
export type Params = Readonly<Record<string, z.ZodType>>;

/** The arguments as they travel and as handlers get them. */
export type ArgsOf<P extends Params> = z.output<z.ZodObject<P, z.core.$strict>>;

/** The scopes a call needs. */
export type ScopeRule =
  | { readonly kind: "none" }
  /** All of these scopes. */
  | { readonly kind: "all"; readonly scopes: readonly string[] }
  /** Any scope with this prefix. */
  | { readonly kind: "any"; readonly prefix: string }
  /** Derived from the validated arguments; `shown` is how the documentation writes the rule. */
  | { readonly kind: "args"; readonly shown: string; readonly of: (args: never) => readonly string[] }
  /**
   * Decided by the server from what the organization has connected; `shown` is how the documentation writes
   * the rule.
   */
  | { readonly kind: "server"; readonly shown: string };

/** Where a method runs: on the server, in the dashboard that hosts the frame, or inside the frame. */
export type RunsIn = "server" | "host" | "frame";

/** What the host does with the result of a method the server ran. */
export type HostEffect = "open_agent" | "open_call" | "open_dialer" | "refresh_campaign";

export interface Method<P extends Params = Params, R extends z.ZodType = z.ZodType> {
  /** For example `data.list`. */
  readonly name: string;
  /** One sentence for the documentation. */
  readonly about: string;
  readonly scope: ScopeRule;
  readonly gate: RoleGate;
  readonly params: P;
  readonly result: R;
  readonly limits: MethodLimits;
  readonly runsIn: RunsIn;
  /** Schema of each event of a streaming method; undefined for a method with a single result. */
  readonly event: z.ZodType | undefined;
  /** `subscription` lasts until ended; `answer` ends with the result. */
  readonly streams: "subscription" | "answer" | undefined;
  /** Which parameter carries raw bytes instead of JSON, or that the result does. */
  readonly bytes: { readonly in?: string; readonly out?: true } | undefined;
  /** What a read returns where its system does not exist; undefined refuses the call with `unavailable`. */
  readonly empty: unknown;
  readonly hostEffect: HostEffect | undefined;
  /** The method changes something in the organization or beyond; the audit log gets a row per call. */
  readonly writes: boolean;
}

interface Definition<P extends Params, R extends z.ZodType> {
  readonly about: string;
  readonly scope?: ScopeRule;
  readonly gate?: RoleGate;
  readonly params: P;
  readonly result: R;
  readonly limits?: Partial<MethodLimits>;
  readonly runsIn?: RunsIn;
  readonly event?: z.ZodType;
  readonly streams?: "subscription" | "answer";
  readonly bytes?: { readonly in?: string; readonly out?: true };
  readonly empty?: unknown;
  readonly hostEffect?: HostEffect;
  readonly writes?: true;
}

/** Defines a method and fills in defaults: no scope, no gate, default limits, runs on the server. */
export function method<const N extends string, const P extends Params, R extends z.ZodType>(
  name: N,
  definition: Definition<P, R>,
): Method<P, R> & { readonly name: N } {
  const { limits, ...given } = definition;
  return Object.freeze({
    scope: NO_SCOPE,
    gate: "none" as const,
    runsIn: "server" as const,
    event: undefined,
    streams: undefined,
    bytes: undefined,
    empty: undefined,
    hostEffect: undefined,
    writes: false,
    ...given,
    name,
    limits: Object.freeze({ ...DEFAULT_LIMITS, ...limits }),
  });
}

export const NO_SCOPE: ScopeRule = { kind: "none" };

export function needs(...scopes: readonly string[]): ScopeRule {
  return { kind: "all", scopes };
}

/** A scope rule derived from the arguments. */
export function scopeOf<A>(shown: string, of: (args: A) => readonly string[]): ScopeRule {
  return { kind: "args", shown, of };
}
