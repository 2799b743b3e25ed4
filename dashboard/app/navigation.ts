import type { LinkProps } from "@tanstack/react-router";
import {
  AtSign,
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
  MessagesSquare,
  PhoneOff,
  Plug,
  Radio,
  ScrollText,
  Users,
  Webhook,
} from "lucide-react";
import type { Here } from "../api/use-session.ts";
import { can } from "../api/use-session.ts";
import { useFailingCount } from "../features/webhooks/use-failing-count.ts";

/** A page in the sidebar. */
export interface NavItem {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Absent: every member of the organization sees the page. */
  readonly isFor?: (here: Here) => boolean;
  /** Hook that counts the things on the page that need attention; runs on every page, and 0 is not shown. */
  readonly useAlarms?: () => number;
}

export interface NavGroup {
  /** Empty: no heading. */
  readonly name: string;
  readonly items: readonly NavItem[];
}

/** The sidebar, top to bottom. Each page of a new feature gets a line here. */
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
      { to: "/whatsapp-campaigns", name: "WhatsApp campaigns", icon: MessagesSquare },
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
      { to: "/instagram", name: "Instagram", icon: AtSign },
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
