import type { FrameUser, ThemeMode } from "../wire.ts";
import type { Agents } from "./agents.ts";
import type { Calls, Stream } from "./calls.ts";
import type { Data, Unsubscribe } from "./records.ts";
import type { Ai, Campaigns, Connector, Files, Http, Links, Member, Whatsapp } from "./services.ts";

export type { ThemeMode } from "../wire.ts";

/** Where the app's page is shown. A slot adds fields, such as `callId` in `call_detail_panel`. */
export interface PageContext {
  readonly appId: string;
  readonly pageId: string;
  /** Alias of `pageId`. */
  readonly page: string;
  readonly title: string;
  readonly user?: User;
  readonly [field: string]: unknown;
}

/** The signed-in user. `name` and `email` need the scope `user:profile`. */
export interface User extends FrameUser {
  readonly role: "owner" | "admin" | "developer" | "viewer" | "member" | null;
  /** For display only: the server decides. */
  can(permission: string): boolean;
}

export type ModalSize = "small" | "medium" | "large";

export type RefreshTarget = "campaigns" | "campaign" | "campaign-targets" | "calls" | "agents";

export interface Ui {
  /** Shows another page of the app in a dashboard dialog. */
  openModal(
    pageId: string,
    context?: Readonly<Record<string, unknown>>,
    opts?: { readonly size?: ModalSize },
  ): Promise<null>;
  closeModal(): Promise<null>;
  /** Plain text. */
  toast(message: string): Promise<null>;
  /** Makes the dashboard reload what it shows. */
  refresh(target: RefreshTarget): Promise<null>;
}

/** Settings as of when the frame loaded; never includes secrets. */
export interface Settings {
  all(): Readonly<Record<string, unknown>>;
  get(key: string): unknown;
}

export interface Theme {
  mode(): ThemeMode;
  onChange(listener: (mode: ThemeMode) => void): Unsubscribe;
}

/** The bridge, `window.platform`. Each operation runs as the signed-in user; the server decides what is allowed. */
export interface Platform {
  /** Version of the bridge. */
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
  /** Reports a press of a button the app contributed, by the contribution's id. */
  onActivate(listener: (contributionId: string) => void): Unsubscribe;
}

/** `window.platform` in full: the bridge plus the host's theme. */
export type WindowPlatform = Platform & { readonly theme: Theme };

declare global {
  interface Window {
    platform?: WindowPlatform;
  }
}
