import type { ICONS } from "@parley/platform/manifest/surfaces.ts";
import {
  Bell,
  Book,
  Box,
  Briefcase,
  Calendar,
  ChartColumn,
  ClipboardList,
  Clock,
  CreditCard,
  File,
  Heart,
  House,
  Inbox,
  LayoutGrid,
  List,
  type LucideIcon,
  Mail,
  MapPin,
  MessageSquare,
  Package,
  Phone,
  Settings,
  ShoppingCart,
  Star,
  Stethoscope,
  Ticket,
  User,
  Users,
} from "lucide-react";

/** The icons that manifests name. */
const PICTURES: Readonly<Record<(typeof ICONS)[number], LucideIcon>> = {
  bell: Bell,
  book: Book,
  box: Box,
  briefcase: Briefcase,
  calendar: Calendar,
  chart: ChartColumn,
  clipboard: ClipboardList,
  clock: Clock,
  card: CreditCard,
  file: File,
  heart: Heart,
  home: House,
  inbox: Inbox,
  grid: LayoutGrid,
  list: List,
  mail: Mail,
  map: MapPin,
  message: MessageSquare,
  package: Package,
  phone: Phone,
  settings: Settings,
  cart: ShoppingCart,
  star: Star,
  stethoscope: Stethoscope,
  ticket: Ticket,
  user: User,
  users: Users,
};

/** An app's icon; a box for an unknown name. */
export function AppIcon({ name }: { readonly name: string }) {
  const Picture = isKnown(name) ? PICTURES[name] : Box;
  return <Picture aria-hidden="true" className="icon" />;
}

function isKnown(name: string): name is keyof typeof PICTURES {
  return Object.hasOwn(PICTURES, name);
}
