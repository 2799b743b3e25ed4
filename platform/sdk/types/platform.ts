import type { FrameUser, ThemeMode } from "../wire.ts";
import type { Agents } from "./agents.ts";
import type { Calls, Stream } from "./calls.ts";
import type { Data, Unsubscribe } from "./records.ts";
import type { Ai, Campaigns, Connector, Files, Http, Links, Member, Whatsapp } from "./services.ts";

export type { ThemeMode } from "../wire.ts";

/** Where the app's page is shown. A slot adds to it, such as `callId` in `call_detail_panel`. */
export interface PageContext {
  readonly appId: string;
  readonly pageId: string;
  /** The same as `pageId`. */
  readonly page: string;
  readonly title: string;
  readonly user?: User;
  readonly [field: string]: unknown;
}

/** Whoever is signed in. `name` and `email` come with the scope `user:profile`. */
export interface User extends FrameUser {
  readonly role: "owner" | "admin" | "developer" | "viewer" | "member" | null;
  /** For what is shown only: the server decides. */
  can(permission: string): boolean;
}

export type ModalSize = "small" | "medium" | "large";

export type RefreshTarget = "campaigns" | "campaign" | "campaign-targets" | "calls" | "agents";

export interface Ui {
  /** Shows another page of the app in a dialog of the dashboard. */
  openModal(
    pageId: string,
    context?: Readonly<Record<string, unknown>>,
    opts?: { readonly size?: ModalSize },
  ): Promise<null>;
  closeModal(): Promise<null>;
  /** Plain text. */
  toast(message: string): Promise<null>;
  /** Has the dashboard load again what it shows. */
  refresh(target: RefreshTarget): Promise<null>;
}

/** As they were when the frame was loaded; secrets are never among them. */
export interface Settings {
  all(): Readonly<Record<string, unknown>>;
  get(key: string): unknown;
}

export interface Theme {
  mode(): ThemeMode;
  onChange(listener: (mode: ThemeMode) => void): Unsubscribe;
}

/** The bridge: `window.platform`. Each operation runs as the signed-in user; the server decides what is allowed. */
export interface Platform {
  /** Of the bridge. */
  readonly version: string;
  readonly context: PageContext;
  readonly user: User | null;
  readonly data: Data;
  readonly agents: Agents;
  readonly calls: Calls;
  readonly stream: Stream;
  readonly whatsapp: Whatsapp;
  readonly softphone: { dial(phone: string): Promise<{ phone: string }> };
  /** A short-lived JWT with audience `app:<id>`, for the app's own backend to verify. */
  readonly session: { token(): Promise<{ token: string }> };
  readonly http: Http;
  readonly files: Files;
  readonly ai: Ai;
  readonly links: Links;
  readonly members: { list(): Promise<Member[]> };
  readonly campaigns: Campaigns;
  readonly connector: Connector;
  readonly ui: Ui;
  readonly settings: Settings;
  /** Tells when a button that the app contributed was pressed: the contribution's id. */
  onActivate(listener: (contributionId: string) => void): Unsubscribe;
}

/** `window.platform` in full: the theme is the host's, beside the bridge. */
export type WindowPlatform = Platform & { readonly theme: Theme };

declare global {
  interface Window {
    platform?: WindowPlatform;
  }
}
