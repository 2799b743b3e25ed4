import { describe, expect, it } from "vitest";
import { ManualClock } from "../../manual-clock.ts";
import { LookupError } from "./lookup-error.ts";
import { NameLookups } from "./name-lookups.ts";

const ADDRESS = [{ address: "93.184.215.14", family: 4 }];
const settle = () => new Promise((resolve) => setImmediate(resolve));

const SLOW_MS = 3_000;

/** `silent…` is never answered, `slow…` late, `gone…` is not known, everything else is answered at once. */
function setUp() {
  const clock = new ManualClock();
  const asked: string[] = [];
  const resolve = (host: string) => {
    asked.push(host);
    if (host.startsWith("silent")) return new Promise<never>(() => undefined);
    if (host.startsWith("slow"))
      return new Promise<typeof ADDRESS>((answer) => clock.after(SLOW_MS, () => answer(ADDRESS)));
    return host.startsWith("gone")
      ? Promise.reject(new LookupError(host, "ENOTFOUND"))
      : Promise.resolve(ADDRESS);
  };
  return { clock, asked, names: new NameLookups({ resolve, clock }) };
}

describe("look-ups of names", () => {
  it("of one organization that are not answered keep no other organization waiting", async () => {
    const { names, asked } = setUp();
    for (let i = 0; i < 100; i++) names.lookUp("org_1", `silent-${i}.example`).catch(() => undefined);
    expect(await names.lookUp("org_2", "well.example")).toEqual(ADDRESS);
    expect(asked.filter((host) => host.startsWith("silent"))).toHaveLength(16);
  });

  it("end in time, those that wait for a place too", async () => {
    const { names, clock } = setUp();
    const all = Array.from({ length: 24 }, (_, i) => names.lookUp("org_1", `silent-${i}.example`));
    const failed = Promise.allSettled(all);
    clock.advance(4_000);
    for (const outcome of await failed)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "ETIMEOUT" } });
  });

  it("of a name server that is slow keep no other organization waiting, and are answered while there is time", async () => {
    const { names, clock } = setUp();
    const all = Array.from({ length: 24 }, (_, i) => names.lookUp("org_1", `slow-${i}.example`));
    const outcomes = Promise.allSettled(all);
    expect(await names.lookUp("org_2", "well.example")).toEqual(ADDRESS);
    clock.advance(SLOW_MS);
    await settle();
    clock.advance(1_000);
    const [answered, late] = [(await outcomes).slice(0, 16), (await outcomes).slice(16)];
    for (const outcome of answered) expect(outcome).toEqual({ status: "fulfilled", value: ADDRESS });
    for (const outcome of late) expect(outcome).toMatchObject({ reason: { code: "ETIMEOUT" } });
  });

  it("get the places of those that were given up", async () => {
    const { names, clock } = setUp();
    for (let i = 0; i < 16; i++) names.lookUp("org_1", `silent-${i}.example`).catch(() => undefined);
    const waiting = names.lookUp("org_1", "well.example", 60_000);
    await settle();
    clock.advance(5_000);
    expect(await waiting).toEqual(ADDRESS);
  });

  it("are bounded in number: what is too much is refused at once", async () => {
    const { names } = setUp();
    for (let i = 0; i < 516; i++) names.lookUp("org_1", `silent-${i}.example`).catch(() => undefined);
    await expect(names.lookUp("org_1", "one-more.example")).rejects.toMatchObject({ code: "EBUSY" });
    expect(await names.lookUp("org_2", "well.example")).toEqual(ADDRESS);
  });

  it("of one name at the same time are one", async () => {
    const { names, asked } = setUp();
    await Promise.all([1, 2, 3].map(() => names.lookUp("org_1", "well.example")));
    await names.lookUp("org_1", "well.example");
    expect(asked).toHaveLength(2);
  });

  it("that failed are remembered for a moment, for their organization only", async () => {
    const { names, asked, clock } = setUp();
    const look = async (orgId: string) => {
      await expect(names.lookUp(orgId, "gone.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
      return asked.length;
    };
    expect([await look("org_1"), await look("org_1"), await look("org_2")]).toEqual([1, 1, 2]);
    clock.advance(3_000);
    expect(await look("org_1")).toBe(3);
  });
});
