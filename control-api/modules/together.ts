import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { EraseContent, Module, Raise } from "./module.ts";

export interface Together {
  readonly raise: Raise;
  readonly onCallEvent: (event: CallEvent) => void;
  readonly eraseContent: EraseContent;
}

/** All modules as one, in their order. More may be added to `modules` until the first of these is called. */
export function together(modules: readonly Module[]): Together {
  return {
    raise: {
      inTransaction: async (trx, events) => {
        let raised = 0;
        for (const { raise } of modules) raised += (await raise?.inTransaction(trx, events)) ?? 0;
        return raised;
      },
      committed: () => {
        for (const { raise } of modules) raise?.committed();
      },
    },
    onCallEvent: (event) => {
      for (const module of modules) module.onCallEvent?.(event);
    },
    eraseContent: async (trx, erased) => {
      for (const { eraseContent } of modules) await eraseContent?.(trx, erased);
    },
  };
}
