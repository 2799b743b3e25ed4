import { errorBodySchema } from "@parley/shared/contracts/envelope.ts";
import type { z } from "zod";

export type { Api } from "../modules/api.ts";

/** The answers of a route, including the errors that every route may return. */
export function responses<T extends z.ZodType>(status: 200 | 201 | 202, schema: T) {
  return { [status]: schema, "4xx": errorBodySchema, "5xx": errorBodySchema };
}

/** Marks a route that takes a key, in the OpenAPI document. */
export const KEY_SECURITY = [{ apiKey: [] }];
/** Marks a route for a signed-in user, in the OpenAPI document. */
export const USER_SECURITY = [{ accessToken: [] }];
/** Marks a route that takes either. */
export const KEY_OR_USER_SECURITY = [{ apiKey: [] }, { accessToken: [] }];

/** The envelope of the dashboard API. */
export function success<T>(data: T): { success: true; data: T } {
  return { success: true, data };
}

/** The answer of an operation without a result. */
export function done(message: string): { success: true; data: { message: string } } {
  return success({ message });
}
