import { z } from "zod";
import { method, needs } from "./define.ts";
import { FILE_LIMITS } from "./limits.ts";
import { timestampSchema } from "./values.ts";

/** Slash-separated names; none is empty, `.` or `..`. */
export const filePathSchema = z
  .string()
  .min(1)
  .max(512)
  .refine((path) => path.split("/").every(isName), {
    error:
      "must be names with / between them, without empty ones, . or .., backslashes and control characters",
  });

const prefixSchema = z.string().max(512).refine(isPrefix, {
  error: "must be the beginning of a path",
});

/** The last name may go on: `.` begins `.env`. */
function isPrefix(prefix: string): boolean {
  const names = prefix.split("/");
  const last = names.pop() ?? "";
  return isName(`${last}x`) && names.every((name) => name === "" || isName(name));
}

function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[\\\p{Cc}]/u.test(name) && name.isWellFormed();
}

export const fileMetaSchema = z.object({
  path: z.string(),
  contentType: z.string().optional(),
  sizeBytes: z.int().min(0),
  updatedAt: timestampSchema,
});
export type FileMeta = z.infer<typeof fileMetaSchema>;

export const FILE_METHODS = [
  method("files.put", {
    about: "Stores a file of up to 25 MB; one that has the path already is replaced.",
    scope: needs("files:write"),
    writes: true,
    params: { path: filePathSchema },
    result: z.object({ path: z.string(), size: z.int().min(0) }),
    bytes: { in: "body" },
    limits: { bodyBytes: FILE_LIMITS.fileBytes, timeoutMs: 60_000, perMinute: 240, inFlight: 4 },
  }),
  method("files.get", {
    about: "Reads a file as raw bytes.",
    scope: needs("files:read"),
    params: { path: filePathSchema },
    result: z.null(),
    bytes: { out: true },
    limits: { timeoutMs: 60_000, perMinute: 600, inFlight: 8 },
  }),
  method("files.list", {
    about: "Lists stored files whose path begins so, by path.",
    scope: needs("files:read"),
    params: { prefix: prefixSchema.optional() },
    result: z.array(fileMetaSchema),
    empty: [],
  }),
  method("files.delete", {
    about: "Deletes a file; false when it was not there.",
    scope: needs("files:write"),
    writes: true,
    params: { path: filePathSchema },
    result: z.object({ deleted: z.boolean() }),
  }),
  method("files.extractText", {
    about: "Reads the text of a stored pdf, docx, txt or md.",
    scope: needs("files:read"),
    params: { path: filePathSchema },
    result: z.object({ text: z.string(), truncated: z.boolean() }),
    limits: { timeoutMs: 60_000, perMinute: 60, inFlight: 2 },
  }),
] as const;
