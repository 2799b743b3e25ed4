import { beforeEach, describe, expect, it } from "vitest";
import { InFlight, type Receiver } from "./in-flight.ts";
import { Rotation, type Turn } from "./rotation.ts";

const receiver = (id: string, orgId = id, host = id): Receiver => ({ endpointId: id, orgId, host });
const given = (turns: readonly Turn<Receiver>[]) =>
  turns.map((turn) => [turn.receiver.endpointId, turn.places]);

let inFlight: InFlight;
let rotation: Rotation<Receiver>;
beforeEach(() => {
  inFlight = new InFlight();
  rotation = new Rotation();
});

describe("the endpoints something is owed to", () => {
  it("get places one after the other, and those that got some wait for all others", () => {
    rotation.add([receiver("a"), receiver("b"), receiver("c")]);
    expect(given(rotation.takeTurns(inFlight, { limit: 4, each: 2 }))).toEqual([
      ["a", 2],
      ["b", 2],
    ]);
    expect(given(rotation.takeTurns(inFlight, { limit: 4, each: 2 }))).toEqual([
      ["c", 2],
      ["a", 2],
    ]);
  });

  it("are passed over while eight of theirs are under way", () => {
    const slow = receiver("slow");
    for (let i = 0; i < 7; i++) inFlight.take(slow);
    rotation.add([slow, receiver("quick")]);
    expect(given(rotation.takeTurns(inFlight, { limit: 8, each: 4 }))).toEqual([
      ["slow", 1],
      ["quick", 4],
    ]);
    inFlight.giveBack(slow);
    expect(given(rotation.takeTurns(inFlight, { limit: 1, each: 4 }))).toEqual([["slow", 1]]);
  });

  it("have 192 places for an organization, however many endpoints it has", () => {
    const ofOne = Array.from({ length: 30 }, (_, i) => receiver(`one-${i}`, "org_one"));
    rotation.add([...ofOne, receiver("other", "org_two")]);
    const places = new Map<string, number>();
    for (let i = 0; i < 10; i++)
      for (const turn of rotation.takeTurns(inFlight, { limit: 32, each: 4 })) {
        const { orgId } = turn.receiver;
        places.set(orgId, (places.get(orgId) ?? 0) + turn.places);
      }
    expect(Object.fromEntries(places)).toEqual({ org_one: 192, org_two: 8 });
  });

  it("have 96 places at a host for an organization, and others have theirs there", () => {
    const ofOne = Array.from({ length: 20 }, (_, i) => receiver(`one-${i}`, "org_one", "hooks.example"));
    rotation.add([...ofOne, receiver("other", "org_two", "hooks.example")]);
    const places = new Map<string, number>();
    for (let i = 0; i < 10; i++)
      for (const turn of rotation.takeTurns(inFlight, { limit: 32, each: 4 })) {
        const { orgId } = turn.receiver;
        places.set(orgId, (places.get(orgId) ?? 0) + turn.places);
      }
    expect(Object.fromEntries(places)).toEqual({ org_one: 96, org_two: 8 });
    inFlight.giveBack(receiver("one-0", "org_one", "hooks.example"));
    expect(inFlight.hasPlace(receiver("one-21", "org_one", "hooks.example"))).toBe(true);
  });

  it("have a place of their own where nobody may wait for it: of its host, its organization, or in all", () => {
    const at = (host: string, id: number) => receiver(`${host}-${id}`, "org_one", host);
    const one = at("hooks.example", 0);
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(true);
    for (let id = 0; id < 12; id++) for (let n = 0; n < 8; n++) inFlight.take(at("hooks.example", id));
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(false);
    // Another one of the host may have waited for this.
    inFlight.giveBack(one);
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(false);
    inFlight.giveBack(one);
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(true);
    for (let id = 0; id < 12; id++) for (let n = 0; n < 8; n++) inFlight.take(at("other.example", id));
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(true);
    inFlight.take(at("third.example", 0));
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(false);
    inFlight.giveBack(at("third.example", 0));
    for (let id = 0; id < 24; id++) for (let n = 0; n < 8; n++) inFlight.take(receiver(`else-${id}`));
    // Three quarters of all are taken but for two, and then but for one.
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(true);
    inFlight.take(receiver("last"));
    expect(inFlight.hasPlaceOfItsOwn(one)).toBe(false);
  });

  it("get few places for an organization when three quarters of all are taken", () => {
    for (let i = 0; i < 48; i++) for (let n = 0; n < 8; n++) inFlight.take(receiver(`hanging-${i}`));
    const ofOne = Array.from({ length: 30 }, (_, i) => receiver(`one-${i}`, "org_one"));
    rotation.add([...ofOne, receiver("other", "org_two")]);
    const orgs = rotation.takeTurns(inFlight, { limit: 32, each: 4 }).map((turn) => turn.receiver.orgId);
    expect(orgs.filter((orgId) => orgId === "org_one")).toHaveLength(16);
    expect(orgs).toContain("org_two");
  });

  it("get one place each when three quarters of all are taken", () => {
    for (let i = 0; i < 48; i++) for (let n = 0; n < 8; n++) inFlight.take(receiver(`hanging-${i}`));
    rotation.add([receiver("hanging-0"), receiver("a"), receiver("b")]);
    expect(given(rotation.takeTurns(inFlight, { limit: 32, each: 4 }))).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
  });

  it("stay when they were found again after the turn in which nothing was left", () => {
    rotation.add([receiver("a")]);
    const [turn] = rotation.takeTurns(inFlight, { limit: 1, each: 1 });
    rotation.add([receiver("a")]);
    rotation.drop(turn!.receiver);
    expect(given(rotation.takeTurns(inFlight, { limit: 1, each: 1 }))).toEqual([["a", 1]]);
  });
});
