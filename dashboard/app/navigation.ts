import type { LinkProps } from "@tanstack/react-router";
import {
  AudioLines,
  BookOpen,
  Bot,
  Brain,
  ChartColumn,
  CreditCard,
  Database,
  Hash,
  Headset,
  History,
  House,
  Inbox,
  KeyRound,
  LayoutGrid,
  type LucideIcon,
  Megaphone,
  MessageCircle,
  PhoneOff,
  Plug,
  Radio,
  ScrollText,
  Users,
  Webhook,
} from "lucide-react";
import type { Here } from "../api/use-session.ts";
import { can } from "../api/use-session.ts";
import { useFailingCount } from "../features/webhooks/use-endpoints.tsx";

/** A page in the sidebar. */
export interface NavItem {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Absent: everybody in the organization sees it. */
  readonly isFor?: (here: Here) => boolean;
  /** A hook: how many things on that page need attention, told on every page; 0 is not shown. */
  readonly useAlarms?: () => number;
}

export interface NavGroup {
  /** Empty: without a heading. */
  readonly name: string;
  readonly items: readonly NavItem[];
}

/** The sidebar, from its top. A page of a new district is a line here. */
export const NAVIGATION: readonly NavGroup[] = [
  { name: "", items: [{ to: "/", name: "Home", icon: House }] },
  {
    name: "Calls",
    items: [
      { to: "/live", name: "Live calls", icon: Radio },
      { to: "/calls", name: "Calls", icon: History },
      { to: "/analytics", name: "Analytics", icon: ChartColumn },
      { to: "/softphone", name: "Softphone", icon: Headset },
      { to: "/inbox", name: "Inbox", icon: Inbox },
      { to: "/campaigns", name: "Campaigns", icon: Megaphone },
      { to: "/do-not-call", name: "Do not call", icon: PhoneOff },
    ],
  },
  {
    name: "Build",
    items: [
      { to: "/agents", name: "Agents", icon: Bot },
      { to: "/integrations", name: "Integrations", icon: Plug },
      { to: "/knowledge", name: "Knowledge", icon: BookOpen },
      { to: "/memory", name: "Memory", icon: Brain },
      { to: "/apps", name: "Apps", icon: LayoutGrid },
      { to: "/numbers", name: "Numbers", icon: Hash },
      { to: "/channels", name: "WhatsApp", icon: MessageCircle },
      { to: "/tracks", name: "Tracks", icon: AudioLines },
    ],
  },
  {
    name: "Developers",
    items: [
      { to: "/keys", name: "API keys", icon: KeyRound },
      { to: "/webhooks", name: "Webhooks", icon: Webhook, useAlarms: useFailingCount },
    ],
  },
  {
    name: "Organization",
    items: [
      { to: "/members", name: "Members", icon: Users },
      { to: "/data", name: "Data", icon: Database },
      { to: "/billing", name: "Billing", icon: CreditCard, isFor: (here) => can(here, "manage_billing") },
      { to: "/audit", name: "Audit log", icon: ScrollText, isFor: (here) => can(here, "manage_members") },
    ],
  },
];
