import { metersCalls } from "@parley/control-api/billing/metering/meter-calls.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { startSubscriptions } from "../../../testkit/subscriptions.ts";

/** A process that meters and charges recorded calls until it is killed: `node metering-process.ts <database url>`. */
const [databaseUrl = ""] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl });
console.log("metering");
await startSubscriptions([metersCalls({ isOn: true, clock: systemClock })], { database, clock: systemClock });
