import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { type InputPart, invalidInput, problemsOf } from "@parley/shared/contracts/problems.ts";
import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";

const PARTS: Readonly<Record<string, InputPart>> = {
  body: "body",
  querystring: "query",
  params: "path",
  headers: "headers",
};

/** Validates each part of a request against its schema; errors are `AppError` validation_failed. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart = "body" }) =>
  (data: unknown) => {
    const parsed = schema.safeParse(data, { error: plainEnglish });
    if (parsed.success) return { value: parsed.data };
    const part = PARTS[httpPart] ?? "body";
    return { error: invalidInput(part, problemsOf(parsed.error.issues, part)) };
  };
