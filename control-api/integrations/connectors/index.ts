import type { Connector } from "../connector.ts";
import { connector as calCom } from "./cal-com/definition.ts";
import { connector as demoShop } from "./demo-shop/definition.ts";
import { connector as dynamics } from "./dynamics/definition.ts";
import { connector as gohighlevel } from "./gohighlevel/definition.ts";
import { connector as googleCalendar } from "./google-calendar/definition.ts";
import { connector as googleSheets } from "./google-sheets/definition.ts";
import { connector as http } from "./http/definition.ts";
import { connector as hubspot } from "./hubspot/definition.ts";
import { connector as pipedrive } from "./pipedrive/definition.ts";
import { connector as postgres } from "./postgres/definition.ts";
import { connector as salesforce } from "./salesforce/definition.ts";
import { connector as shopify } from "./shopify/definition.ts";
import { connector as slack } from "./slack/definition.ts";
import { connector as stripe } from "./stripe/definition.ts";
import { connector as twilioSms } from "./twilio-sms/definition.ts";
import { connector as woocommerce } from "./woocommerce/definition.ts";
import { connector as zendesk } from "./zendesk/definition.ts";

/** Every folder beside this file; scripts/update-connectors.ts writes it. */
export const CONNECTORS: readonly Connector[] = [
  calCom,
  demoShop,
  dynamics,
  gohighlevel,
  googleCalendar,
  googleSheets,
  http,
  hubspot,
  pipedrive,
  postgres,
  salesforce,
  shopify,
  slack,
  stripe,
  twilioSms,
  woocommerce,
  zendesk,
];
