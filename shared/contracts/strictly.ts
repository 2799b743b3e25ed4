import { z } from "zod";

/**
 * Returns the schema with all objects, at any depth, refusing unknown fields. For bodies that people write; messages
 * between processes of different versions use the lenient schema.
 */
export function strictly<T extends z.ZodType>(schema: T): T {
  return rebuilt(schema) as T;
}

function rebuilt(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) {
    const { def } = schema;
    const shape = Object.fromEntries(
      Object.entries(def.shape as z.core.$ZodShape).map(([name, field]) => [name, rebuilt(field)]),
    );
    return schema.clone({ ...def, shape, catchall: def.catchall ?? z.never() });
  }
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: rebuilt(schema.def.element) });
  if (schema instanceof z.ZodUnion)
    return schema.clone({ ...schema.def, options: schema.def.options.map(rebuilt) });
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return schema.clone({ ...schema.def, innerType: rebuilt(schema.def.innerType) } as never);
  }
  return schema;
}
