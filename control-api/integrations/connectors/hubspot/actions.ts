import type { Actions } from "../../connector.ts";
import { contactActions } from "./contacts.ts";
import { ticketActions } from "./tickets.ts";

export const actions: Actions = { ...contactActions, ...ticketActions };
