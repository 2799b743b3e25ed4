import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { startStack } from "../../stack/stack.ts";
import { startApi } from "../api/control-api.ts";
import { type Bench, spreadOf } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { assertClosed, monthBefore, writeMonth } from "./month.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ORGS = 1_000;
const CALLS = 1_000_000;
const MAX_SECS = 60;
const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 300_000;

/** Time from the moment the month's end is due to the last invoice, renewal and event. */
export const monthEnd: Bench = {
  name: "month-end",
  title: `The end of a month: ${ORGS} organizations with ${CALLS} calls, one process`,
  needsPostgres: true,
  run: async (say) => {
    const stack = await startStack({ othersCpu: OTHERS_CPU, gatewayCpu: OTHERS_CPU });
    const api = await startApi(stack, CPU, { BILLING: "on" });
    const database = await openDatabase({ databaseUrl: api.databaseUrl });
    try {
      const { id: userId } = await database.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
      const month = monthBefore(new Date());
      const startMs = performance.now();
      await database.unbounded((own) =>
        writeMonth(own, { start: month.start, orgs: ORGS, calls: CALLS, userId }),
      );
      say(`a month of calls is there after ${Math.round((performance.now() - startMs) / 1_000)} s`);
      const dueMs = performance.now();
      await database.db
        .updateTable("jobs")
        .set({ due_at: new Date() })
        .where("kind", "=", "advance_billing")
        .execute();
      await stack.bus.channels.publish("jobs-due", "");
      const secs = await closed(database, dueMs);
      await database.unbounded((own) => assertClosed(own, month));
      say(`invoiced and renewed after ${secs.toFixed(1)} s, and every sum is right`);
      return [
        {
          id: "month-end.closed",
          title: "all invoices issued, all numbers renewed, all of it told",
          unit: "s",
          better: "lower",
          ours: spreadOf([secs]),
          target: { text: `under ${MAX_SECS} s`, holds: secs < MAX_SECS },
        },
      ];
    } finally {
      await database.close();
      await api.close();
      await stack.close();
    }
  },
};

/** Seconds until the month-end job has run. Throws after five minutes. */
async function closed({ db }: Databases, dueMs: number): Promise<number> {
  for (;;) {
    const { renewed, invoices } = await db
      .selectNoFrom(({ selectFrom }) => [
        selectFrom("billing_numbers")
          .select(({ fn }) => fn.countAll().as("count"))
          .where("renewals", "=", 1)
          .as("renewed"),
        selectFrom("invoices")
          .select(({ fn }) => fn.countAll().as("count"))
          .as("invoices"),
      ])
      .executeTakeFirstOrThrow();
    const tookMs = performance.now() - dueMs;
    if (Number(invoices) === ORGS && Number(renewed) === ORGS) return tookMs / 1_000;
    if (tookMs > GIVE_UP_MS)
      throw new Error(`after five minutes there are ${invoices} invoices, ${renewed} renewals`);
    await pause(LOOK_EVERY_MS);
  }
}
