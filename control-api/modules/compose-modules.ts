import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { EraseContent, ForgetPeople, KnownPeople, Module, PersonalData, Trouble } from "./module.ts";

export interface ComposedModules {
  readonly subscriptions: () => readonly Subscription[];
  readonly onCallEvents: (events: readonly CallEvent[]) => void;
  readonly eraseContent: EraseContent;
  readonly forgetPeople: ForgetPeople;
  readonly personalData: () => readonly PersonalData[];
  readonly knownPeople: () => readonly KnownPeople[];
  readonly troubles: Trouble;
}

/** Combines all modules in their order. More may be added to `modules` until the first of its functions is called. */
export function composeModules(modules: readonly Module[]): ComposedModules {
  return {
    subscriptions: () => modules.flatMap(({ subscriptions = [] }) => subscriptions),
    onCallEvents: (events) => {
      for (const module of modules) module.onCallEvents?.(events);
    },
    personalData: () => modules.flatMap(({ personalData = [] }) => personalData),
    knownPeople: () => modules.flatMap(({ knownPeople = [] }) => knownPeople),
    troubles: async (member) =>
      (await Promise.all(modules.map(({ troubles }) => troubles?.(member) ?? []))).flat(),
    forgetPeople: async (trx, sessions) => {
      for (const { forgetPeople } of modules) await forgetPeople?.(trx, sessions);
    },
    eraseContent: async (trx, erased) => {
      for (const { eraseContent } of modules) await eraseContent?.(trx, erased);
    },
  };
}
