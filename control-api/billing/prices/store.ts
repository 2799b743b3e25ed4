import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { Price } from "./choose-price.ts";

type Db = Kysely<Tables>;

/** The general price list plus these organizations' own prices. */
export async function readPrices(db: Db, orgIds: readonly string[]): Promise<Price[]> {
  const rows = await selectPrices(db)
    .where("org_id", "in", ["", ...orgIds])
    .execute();
  return rows.map(toPrice);
}

export async function readAllPrices(db: Db): Promise<Price[]> {
  const rows = await selectPrices(db).orderBy("metric").orderBy("vendor").orderBy("from_at").execute();
  return rows.map(toPrice);
}

/** All prices, with the names of organizations that have their own. */
export async function readNamedPrices(db: Db): Promise<(Price & { readonly orgName: string })[]> {
  const prices = await readAllPrices(db);
  const ids = [...new Set(prices.map(({ orgId }) => orgId))].filter((id) => id !== "");
  if (ids.length === 0) return prices.map((price) => ({ ...price, orgName: "" }));
  const rows = await db.selectFrom("organizations").select(["id", "name"]).where("id", "in", ids).execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return prices.map((price) => ({ ...price, orgName: names.get(price.orgId) ?? "" }));
}

const selectPrices = (db: Db) =>
  db.selectFrom("prices").select(["id", "org_id", "metric", "vendor", "micros", "per", "from_at"]);

function toPrice(row: Awaited<ReturnType<ReturnType<typeof selectPrices>["execute"]>>[number]): Price {
  return {
    id: row.id,
    orgId: row.org_id,
    metric: row.metric,
    vendor: row.vendor,
    micros: BigInt(row.micros),
    per: BigInt(row.per),
    from: row.from_at,
  };
}
