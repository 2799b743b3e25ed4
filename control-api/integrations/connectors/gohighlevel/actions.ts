import type { Actions } from "../../connector.ts";
import { appointmentActions } from "./appointments.ts";
import { contactActions } from "./contacts.ts";
import { messageActions } from "./messages.ts";

export const actions: Actions = { ...contactActions, ...appointmentActions, ...messageActions };
