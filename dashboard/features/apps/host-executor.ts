import type { Executor, HostCall } from "@parley/platform/host/executor.ts";
import type { HostEffect } from "@parley/platform/methods/define.ts";
import { BridgeError, unavailable } from "@parley/platform/wire/errors.ts";

/** What the dashboard itself does for an app. */
export interface HostActions {
  /** Ids of the app's pages; undefined until they are known. */
  readonly pages: readonly string[] | undefined;
  openModal(modal: {
    readonly pageId: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly size: "small" | "medium" | "large";
  }): void;
  /** Undefined when the app is not in a modal. */
  readonly closeModal: (() => void) | undefined;
  toast(message: string): void;
  refresh(target: string): void;
  /** Opens a dashboard page. */
  navigate(path: string): void;
}

interface ModalArgs {
  readonly pageId: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly opts?: { readonly size?: "small" | "medium" | "large" };
}

/** Runs host methods, and applies what server results change in the dashboard. */
export function createHostExecutor(server: Executor, actions: HostActions): Executor {
  return async (call) => {
    if (call.method.runsIn === "host") return hosted(call, actions);
    const result = await server(call);
    if (call.method.hostEffect !== undefined) follow(call.method.hostEffect, { call, result, actions });
    return result;
  };
}

function hosted({ method: { name }, args }: HostCall, actions: HostActions): null {
  switch (name) {
    case "ui.openModal": {
      const { pageId, context = {}, opts = {} } = args as unknown as ModalArgs;
      if (actions.pages?.includes(pageId) === false)
        throw new BridgeError("not_found", `The app has no page ${pageId}.`);
      actions.openModal({ pageId, context, size: opts.size ?? "medium" });
      return null;
    }
    case "ui.closeModal":
      if (actions.closeModal === undefined) throw new BridgeError("conflict", "This page is in no modal.");
      actions.closeModal();
      return null;
    case "ui.toast":
      actions.toast(String(args.message));
      return null;
    case "ui.refresh":
      actions.refresh(String(args.target));
      return null;
    default:
      throw unavailable(name);
  }
}

interface Done {
  readonly call: HostCall;
  readonly result: unknown;
  readonly actions: HostActions;
}

/** `done` is the result of `agents.createFromTemplate` or `agents.createTeamFromTemplate`. */
function builderOf(agentId: string, { kind, agents = [] }: Readonly<Record<string, unknown>>): string {
  const all = agents as readonly { readonly agentId: string | null; readonly kind: string }[];
  const isFlow = (kind ?? all.find((one) => one.agentId === agentId)?.kind) === "flow";
  return `/agents/${encodeURIComponent(agentId)}/${isFlow ? "flow" : "edit"}`;
}

function follow(effect: HostEffect, { call: { args }, result, actions }: Done): void {
  const done = (typeof result === "object" && result !== null ? result : {}) as Readonly<
    Record<string, unknown>
  >;
  switch (effect) {
    case "open_agent": {
      const { open = true } = (args.opts ?? {}) as { readonly open?: boolean };
      const agentId = done.agentId ?? done.entryAgentId;
      if (open && typeof agentId === "string") actions.navigate(builderOf(agentId, done));
      return;
    }
    case "open_call":
      actions.navigate(`/calls/${encodeURIComponent(String(done.sessionId))}`);
      return;
    case "open_dialer":
      actions.navigate(`/softphone?to=${encodeURIComponent(String(done.phone))}`);
      return;
    case "refresh_campaign":
      actions.refresh("campaign");
      return;
    default:
      effect satisfies never;
  }
}
