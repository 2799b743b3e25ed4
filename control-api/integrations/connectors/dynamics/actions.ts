import type { Actions } from "../../connector.ts";
import { caseActions } from "./cases.ts";
import { contactActions } from "./contacts.ts";

export const actions: Actions = { ...contactActions, ...caseActions };
