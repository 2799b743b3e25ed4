import { z } from "zod";
import { method, scopeOf } from "./define.ts";
import { RECORD_LIMITS } from "./limits.ts";
import { OBJECT_TYPE } from "./scopes.ts";
import { idSchema, jsonSchema, timestampSchema } from "./values.ts";

export const objectTypeSchema = z
  .string()
  .regex(OBJECT_TYPE, "must begin with a letter and have up to 64 letters, digits, _ and -");

/** A field of a record's data; dots lead into objects. `id`, `createdAt` and `updatedAt` are the record's own. */
export const fieldSchema = z
  .string()
  .max(128)
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*){0,4}$/,
    "must be the name of a field, or up to five with dots between them",
  );

const scalarSchema = z.union([z.string().max(1_024), z.number(), z.boolean(), z.null()]);
export type QueryScalar = z.infer<typeof scalarSchema>;
const orderedSchema = z.union([z.string().max(1_024), z.number()]);

/** Several operators on one field must all hold. */
const operatorsSchema = z.strictObject({
  $eq: scalarSchema.optional(),
  $ne: scalarSchema.optional(),
  $gt: orderedSchema.optional(),
  $gte: orderedSchema.optional(),
  $lt: orderedSchema.optional(),
  $lte: orderedSchema.optional(),
  $in: z.array(scalarSchema).max(RECORD_LIMITS.inValues).optional(),
  /** Substring match, ignoring case. */
  $contains: z.string().min(1).max(256).optional(),
});
export type QueryOperators = z.infer<typeof operatorsSchema>;

/** Conditions on records; a plain value means equality. All must hold. */
export const querySchema = z
  .record(fieldSchema, z.union([scalarSchema, operatorsSchema]))
  .refine((query) => Object.keys(query).length <= RECORD_LIMITS.conditions, {
    error: `may have at most ${RECORD_LIMITS.conditions} fields`,
  });
export type Query = z.infer<typeof querySchema>;

export const orderSchema = z.strictObject({
  field: fieldSchema,
  desc: z.boolean().optional(),
  /** Compares texts by their numeric value. */
  numeric: z.boolean().optional(),
});

export const queryOptsSchema = z.strictObject({
  /** Defaults to newest first. */
  orderBy: orderSchema.optional(),
  /** Defaults to 100. */
  limit: z.int().min(1).max(RECORD_LIMITS.listed).optional(),
  /** A view of the manifest; other options extend its query and replace its order and limit. */
  view: z.string().min(1).max(64).optional(),
  /** Fields that hold other records' ids; those records come along as `{field}__expanded`. */
  expand: z.array(fieldSchema).max(RECORD_LIMITS.expanded).optional(),
  /** What to search for, as a person would ask; best matches first, unless `orderBy` sorts what was found. Needs `semantic: true` on the type in the manifest. */
  search: z.string().trim().min(1).max(500).optional(),
});
export type QueryOpts = z.infer<typeof queryOptsSchema>;

/** An app's data in a record. */
export const recordDataSchema = z.record(z.string().min(1).max(128), jsonSchema);
export type RecordData = z.infer<typeof recordDataSchema>;

export const appRecordSchema = z.object({
  id: z.string(),
  appId: z.string(),
  objectType: z.string(),
  data: recordDataSchema,
  createdAt: timestampSchema,
  /** Absent until the record is first changed. */
  updatedAt: timestampSchema.optional(),
});
export type AppRecord = z.infer<typeof appRecordSchema>;

/** A change to a record; `data` is null for a deletion. */
export const dataEventSchema = z.object({
  event: z.enum(["created", "updated", "deleted"]),
  objectType: z.string(),
  id: z.string(),
  data: recordDataSchema.nullable(),
});
export type DataEvent = z.infer<typeof dataEventSchema>;

const ofType = scopeOf("objects:<type>", ({ type }: { type: string }) => [`objects:${type}`]);

export const DATA_METHODS = [
  method("data.list", {
    about: "Lists records of a type that match a query.",
    scope: ofType,
    params: { type: objectTypeSchema, query: querySchema.optional(), opts: queryOptsSchema.optional() },
    result: z.array(appRecordSchema),
    empty: [],
  }),
  method("data.count", {
    about: "Counts the records of a type that match a query.",
    scope: ofType,
    params: { type: objectTypeSchema, query: querySchema.optional() },
    result: z.object({ count: z.int().min(0) }),
    empty: { count: 0 },
  }),
  method("data.create", {
    about: "Creates a record.",
    scope: ofType,
    writes: true,
    params: { type: objectTypeSchema, data: recordDataSchema },
    result: appRecordSchema,
  }),
  method("data.update", {
    about: "Changes fields of a record; the others stay.",
    scope: ofType,
    writes: true,
    params: { type: objectTypeSchema, id: idSchema, data: recordDataSchema },
    result: appRecordSchema,
  }),
  method("data.remove", {
    about: "Deletes a record; false when it was not there.",
    scope: ofType,
    writes: true,
    params: { type: objectTypeSchema, id: idSchema },
    result: z.object({ deleted: z.boolean() }),
  }),
  method("data.subscribe", {
    about:
      "Tells of each record of a type that is created, updated or deleted, until the subscription is ended.",
    scope: ofType,
    params: { type: objectTypeSchema },
    result: z.null(),
    event: dataEventSchema,
    streams: "subscription",
  }),
] as const;
