import { createContext, use } from "react";

/** An app's page, shown over the dashboard's own. */
export interface AppModal {
  readonly appId: string;
  readonly appName: string;
  readonly pageId: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly size: "small" | "medium" | "large";
  /** The button that opened the modal. */
  readonly contributionId?: string;
}

/** What apps may ask the dashboard to do, wherever their frames are. */
export interface AppsHost {
  openModal(modal: AppModal): void;
  toast(appName: string, text: string): void;
  refresh(target: string): void;
  navigate(path: string): void;
}

export const AppsHostContext = createContext<AppsHost | undefined>(undefined);

export function useAppsHost(): AppsHost {
  const host = use(AppsHostContext);
  if (!host) throw new Error("there is no AppsHostProvider above");
  return host;
}
