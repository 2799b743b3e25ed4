/**
 * Lists an app for all organizations of this installation, or unlists it: existing installations stay.
 * Reads the same environment as the control API, whose database holds the app.
 *
 * Usage: node scripts/list-app.ts <appId> [--off]
 */
import { setListed } from "@parley/control-api/apps/bundles/store.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { loadConfig } from "@parley/shared/config/config.ts";

const [appId = ""] = process.argv.slice(2);
const isListed = !process.argv.includes("--off");
const { databaseUrl, directUrl } = loadConfig(process.env).storage;
if (databaseUrl === undefined) {
  console.error("DATABASE_URL is not set. The embedded database can be used by its own process only.");
  process.exit(1);
}
const database = await openDatabase({ databaseUrl, directUrl });
const isThere = await setListed(database, appId, isListed);
if (!isThere) console.error(`There is no app ${appId}. Usage: list-app.ts <appId> [--off]`);
else console.log(`${appId} is ${isListed ? "listed for all organizations" : "off the list"}`);
await database.close();
process.exitCode = isThere ? 0 : 1;
