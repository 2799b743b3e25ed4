import { z } from "zod";
import type { Connector, SettingField } from "../../connector.ts";
import { secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { refusalOf } from "./refusals.ts";
import { verify } from "./verify.ts";

const vendorId = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{1,64}$/, "letters and digits");

const settings: readonly SettingField[] = [
  {
    key: "locationId",
    label: "Sub-account ID",
    help: "Settings → Business Profile, or the part after /location/ in the address of the sub-account.",
    placeholder: "ve9EPM428h8vShlRW1KT",
    schema: vendorId,
  },
  {
    key: "calendarId",
    label: "Calendar ID",
    help: "Which calendar is booked: Settings → Calendars, the last part of its address. Empty: the sub-account's first one.",
    placeholder: "ocQHyuzHvysMo5N5VsXc",
    isOptional: true,
    schema: vendorId,
  },
];

export const connector: Connector = {
  id: "gohighlevel",
  name: "GoHighLevel",
  category: "CRM",
  about: "Looks contacts up and saves them, adds notes, books appointments, and sends text messages.",
  authKind: "api_key",
  docsUrl: "https://help.gohighlevel.com/support/solutions/articles/155000003054",
  credentials: [
    secret(
      "token",
      "Private integration token",
      "In the sub-account: Settings → Private Integrations → Create new (pit-…). Scopes: contacts, calendars, calendars/events, conversations/message.write, locations.readonly.",
    ),
  ],
  settings,
  identityOf: ({ settings: { locationId } }) => locationId ?? "",
  apiHosts: () => ["services.leadconnectorhq.com"],
  authorized: ({ token }) => ({ authorization: `Bearer ${token}`, version: "2021-07-28" }),
  refusalOf,
  verify,
  actions,
};
