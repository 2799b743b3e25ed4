import { z } from "zod";
import type { ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { read } from "../read.ts";
import { apiOf } from "./verify.ts";

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SHOWN = "OData.Community.Display.V1.FormattedValue";
const annotation = z.object({ annotationid: z.string() });

type Values = Readonly<Record<string, unknown>>;

/** The path of a record. Throws `VendorError` not_found for a malformed id. */
export function recordPath(table: "contacts" | "incidents", id: string): string {
  if (!GUID.test(id)) throw new VendorError("not_found", "Dynamics 365 has no record with this id.");
  return `${table}(${id})`;
}

/** A string literal in a filter. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The result of an OData query, with display names for the numbers of choices. */
export async function readRecords(
  path: string,
  query: Readonly<Record<string, string | number>>,
  context: ConnectorContext,
): Promise<unknown> {
  const prefer = `odata.include-annotations="${SHOWN}"`;
  return (await context.vendor.send({ url: `${apiOf(context)}/${path}`, query, headers: { prefer } })).body;
}

/** Creates a record, or changes the one at a path with an id; returns the record. */
export async function saveRecord(
  { path, select, json }: { readonly path: string; readonly select: string; readonly json: Values },
  context: ConnectorContext,
): Promise<unknown> {
  const isChange = path.endsWith(")");
  const { body } = await context.vendor.send({
    method: isChange ? "PATCH" : "POST",
    url: `${apiOf(context)}/${path}`,
    query: { $select: select },
    headers: {
      prefer: `return=representation,odata.include-annotations="${SHOWN}"`,
      // Without this, changing a deleted record would create it.
      ...(isChange ? { "if-match": "*" } : {}),
    },
    json,
  });
  return body;
}

/** Adds a note to a record's timeline. */
export async function addNote(
  { of, path, text }: { readonly of: "contact" | "incident"; readonly path: string; readonly text: string },
  context: ConnectorContext,
): Promise<string> {
  const json = { notetext: text, [`objectid_${of}@odata.bind`]: `/${path}` };
  const saved = await saveRecord({ path: "annotations", select: "annotationid", json }, context);
  return read(annotation, saved).annotationid;
}

/** The record's page. */
export function pageOf({ settings }: ConnectorContext, table: "contact" | "incident", id: string): string {
  return `${settings.url}/main.aspx?pagetype=entityrecord&etn=${table}&id=${id}`;
}
