import { AppError } from "@parley/shared/errors.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { lentDatabase } from "../../testkit/lent-database.ts";
import type { MemberPrincipal } from "./access/principal.ts";
import { Reads } from "./reads.ts";

const CONNECTIONS = 5;

let clock: ManualClock;
let reads: Reads;
/** Those under way, by who asked, and what ends them. */
let inFlight: { readonly who: string; readonly end: (error?: Error) => void }[];
beforeEach(async () => {
  const database = await lentDatabase();
  onTestFinished(() => database.close());
  clock = new ManualClock();
  reads = new Reads({ database, connections: CONNECTIONS, clock });
  inFlight = [];
});

/** Asks once; gives the code of its error, or nothing. */
async function ask(userId: string, orgId = "org_a"): Promise<string | undefined> {
  const who: MemberPrincipal = { kind: "member", userId, sessionId: "sig_1", orgId, role: "viewer" };
  try {
    await reads.run(
      who,
      () =>
        new Promise<void>((resolve, reject) => {
          const one = {
            who: userId,
            end: (error?: Error) => {
              inFlight.splice(inFlight.indexOf(one), 1);
              if (error) reject(error);
              else resolve();
            },
          };
          inFlight.push(one);
        }),
    );
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}
const askTimes = (times: number, userId: string, orgId?: string) =>
  Array.from({ length: times }, () => ask(userId, orgId));
const whoIs = () => inFlight.map(({ who }) => who);

describe("lists and searches", () => {
  it("of one key or member are two at once, eight wait, and the next is told to come back", async () => {
    const asked = askTimes(11, "usr_1");
    expect(await asked[10]).toBe("too_many_requests");
    expect(whoIs()).toEqual(["usr_1", "usr_1"]);
    while (inFlight.length > 0) {
      inFlight[0]?.end();
      await Promise.resolve();
    }
    expect(await Promise.all(asked)).toEqual([...Array.from({ length: 10 }), "too_many_requests"]);
  });

  it("of one organization leave a place for others, and nobody has the last connection", async () => {
    void [askTimes(2, "usr_1"), askTimes(2, "usr_2")];
    await Promise.resolve();
    expect(whoIs()).toEqual(["usr_1", "usr_1", "usr_2"]);
    void [askTimes(2, "usr_3", "org_b")];
    await Promise.resolve();
    expect(whoIs()).toEqual(["usr_1", "usr_1", "usr_2", "usr_3"]);
    // Both organizations wait: the one with less under way is next.
    inFlight[0]?.end();
    await Promise.resolve();
    await Promise.resolve();
    expect(whoIs()).toEqual(["usr_1", "usr_2", "usr_3", "usr_3"]);
  });

  it("that wait for five seconds are told to come back, and leave the queue", async () => {
    const [first, second, third] = askTimes(3, "usr_1");
    clock.advance(5_000);
    expect(await third).toBe("too_many_requests");
    for (const one of [...inFlight]) one.end();
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    expect(inFlight).toEqual([]);
  });

  it("that the database gives up say what makes them quicker, and free their place", async () => {
    const asked = ask("usr_1");
    await Promise.resolve();
    inFlight[0]?.end(new AppError("deadline_exceeded", "The database took too long over this."));
    expect(await asked).toBe("search_too_slow");
    const next = ask("usr_1");
    await Promise.resolve();
    inFlight[0]?.end();
    expect(await next).toBeUndefined();
  });
});
