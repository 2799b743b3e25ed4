import type { CallStatus, statusOf } from "@parley/shared/contracts/call-status.ts";
import type { Updateable } from "kysely";
import { describe, expectTypeOf, it } from "vitest";
import type { CallsTable } from "./tables.ts";

// Checked by `npm run types`.
describe("the status in a call's row", () => {
  it("is refused when it was written by hand", () => {
    expectTypeOf<CallStatus>().not.toExtend<Updateable<CallsTable>["status"]>();
  });

  it("is accepted from the table of a call's life", () => {
    expectTypeOf<ReturnType<typeof statusOf>>().toExtend<Updateable<CallsTable>["status"]>();
  });
});
