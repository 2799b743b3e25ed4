import { errorBodySchema } from "@parley/shared/contracts/envelope.ts";
import type { z } from "zod";

export type { Api } from "../modules/api.ts";

/** The answers of a route, with the errors every route may give. */
export function responses<T extends z.ZodType>(status: 200 | 201 | 202, schema: T) {
  return { [status]: schema, "4xx": errorBodySchema, "5xx": errorBodySchema };
}

/** How a route with a key is marked in the OpenAPI document. */
export const KEY_SECURITY = [{ apiKey: [] }];
/** How a route with a signed-in user is marked there. */
export const USER_SECURITY = [{ accessToken: [] }];
/** Either of them. */
export const KEY_OR_USER_SECURITY = [{ apiKey: [] }, { accessToken: [] }];

/** The envelope of the dashboard API. */
export function success<T>(data: T): { success: true; data: T } {
  return { success: true, data };
}

/** What an operation without a result answers. */
export function done(message: string): { success: true; data: { message: string } } {
  return success({ message });
}
