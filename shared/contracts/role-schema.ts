import { z } from "zod";
import { ROLES } from "./roles.ts";

/** Apart from the table of roles, which pages read without any schema. */
export const roleSchema = z.enum(ROLES);
