import { z } from "zod";
import { ROLES } from "./roles.ts";

/** Separate from the table of roles, which pages load without any schema. */
export const roleSchema = z.enum(ROLES);
