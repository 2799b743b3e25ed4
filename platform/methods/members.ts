import { z } from "zod";
import { method, needs } from "./define.ts";

/** A user of the app. `name` and `email` need the scope `user:profile`. */
export const appUserSchema = z.object({
  id: z.string(),
  role: z.enum(["owner", "admin", "developer", "viewer", "member"]).nullable(),
  permissions: z.array(z.string()),
  name: z.string().optional(),
  email: z.string().optional(),
});
export type AppUser = z.infer<typeof appUserSchema>;

export const MEMBER_METHODS = [
  method("members.list", {
    about: "Lists the members of the organization.",
    scope: needs("members:read"),
    params: {},
    result: z.array(
      z.object({ id: z.string(), name: z.string().nullable(), email: z.string(), role: z.string() }),
    ),
    empty: [],
  }),
] as const;
