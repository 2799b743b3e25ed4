import type { z } from "zod";
import type { RoleGate } from "./gates.ts";
import { DEFAULT_LIMITS, type MethodLimits } from "./limits.ts";

/** The arguments of a method in their order, by name. */
export type Params = Readonly<Record<string, z.ZodType>>;

/** The arguments as they travel, and as handlers get them. */
export type ArgsOf<P extends Params> = z.output<z.ZodObject<P, z.core.$strict>>;

/** Which scopes a call needs. */
export type ScopeRule =
  | { readonly kind: "none" }
  /** All of these. */
  | { readonly kind: "all"; readonly scopes: readonly string[] }
  /** One of those that begin so. */
  | { readonly kind: "any"; readonly prefix: string }
  /** Follows from the arguments, which were validated before; `shown` is how documentation writes it. */
  | { readonly kind: "args"; readonly shown: string; readonly of: (args: never) => readonly string[] }
  /** Only the server knows, by what the organization has connected; `shown` is how documentation writes it. */
  | { readonly kind: "server"; readonly shown: string };

/** Where a method is carried out: by the server, by the dashboard that hosts the frame, or inside the frame. */
export type RunsIn = "server" | "host" | "frame";

/** What the host does with the result of a method that the server carried out. */
export type HostEffect = "open_agent" | "open_call" | "open_dialer" | "refresh_campaign";

export interface Method<P extends Params = Params, R extends z.ZodType = z.ZodType> {
  /** `data.list` */
  readonly name: string;
  /** One sentence for the documentation. */
  readonly about: string;
  readonly scope: ScopeRule;
  readonly gate: RoleGate;
  readonly params: P;
  readonly result: R;
  readonly limits: MethodLimits;
  readonly runsIn: RunsIn;
  /** Each event of a method that streams; undefined where one result is all. */
  readonly event: z.ZodType | undefined;
  /** `subscription` lasts until it is ended; `answer` ends with the result. */
  readonly streams: "subscription" | "answer" | undefined;
  /** Which parameter, or that the result, is raw bytes instead of JSON. */
  readonly bytes: { readonly in?: string; readonly out?: true } | undefined;
  /** What a read answers where its system does not exist; undefined: the call is refused with `unavailable`. */
  readonly empty: unknown;
  readonly hostEffect: HostEffect | undefined;
  /** It changes something of the organization, or beyond it: the audit log has a row of each. */
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

/** An entry of the table, with what it leaves out filled in: no scope, no gate, the default limits, on the server. */
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

/** A scope that names something of the arguments. */
export function scopeOf<A>(shown: string, of: (args: A) => readonly string[]): ScopeRule {
  return { kind: "args", shown, of };
}
