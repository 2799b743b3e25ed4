import { randomBytes } from "node:crypto";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { raceBehind } from "../../../testkit/lock-race.ts";
import { migratedPostgres } from "../../../testkit/migrated-postgres.ts";
import { needs } from "../../../testkit/needs.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Databases } from "../../database/open.ts";
import { JobQueue } from "../../jobs/queue.ts";
import type { ChannelRow } from "../../messaging/channels/channel-store.ts";
import { contactsWithoutSession } from "../../messaging/erase-messages.ts";
import { receiveMessage } from "../../messaging/inbound/receive-message.ts";
import { choicesAlone } from "../../messaging/opt-out/forget-choices.ts";
import { receivePreference } from "../../messaging/opt-out/note-preference.ts";
import { forgetKnown } from "../../records/people/erase-person.ts";
import { LISTED } from "../targets/erase-targets.ts";
import { runWhatsAppCampaign } from "../whatsapp/run-whatsapp.ts";
import { noteMessageWish } from "./note-opt-outs.ts";
import { deleteNumber, insertNumbers } from "./store.ts";

const PHONE = "+31600000001";
const OTHER_PHONE = "+31600000002";
const LONG_AGO = new Date("2026-01-01T00:00:00Z");
const secrets = new SecretBox(`one:${randomBytes(32).toString("base64")}`);

describe.runIf(needs("postgres"))("people who say at once what they want of messages", () => {
  let database: Databases;
  let close: () => Promise<void>;
  let channel: ChannelRow;
  let orgId: string;
  beforeAll(async () => {
    ({ database, close } = await migratedPostgres());
  });
  afterAll(() => close());
  beforeEach(async () => {
    const organization = await createOrganization(database);
    orgId = organization.orgId;
    const [id, at] = [newId("chn"), new Date()];
    channel = await database.db
      .insertInto("messaging_channels")
      .values({
        ...{ id, org_id: orgId, provider: "whatsapp", account: id, name: "Shop", health: "{}" },
        ...{
          credentials_sealed: "x",
          version: 1,
          created_by: organization.userId,
          created_at: at,
          updated_at: at,
        },
        ...{ agent_id: null, phone: "+31600000000", verified_name: null, business_account: null },
        ...{ quality: null, last_error: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

  const deps = () => ({
    ...{ database, clock: systemClock, secrets, onWish: noteMessageWish },
    queue: new JobQueue({ clock: systemClock, channels: createMemoryBus({ clock: systemClock }).channels }),
    announceDeliveries: () => undefined,
    countMessages: async () => undefined,
  });
  const say = (body: string, phone = PHONE) =>
    receiveMessage(
      {
        ...{ wamid: newId("evt"), phone, userId: null, contactName: null, type: "text", body },
        ...{ content: null, media: null, replaces: null, sentAt: new Date(), raw: {} },
      },
      channel,
      deps(),
    );
  const resume = () =>
    receivePreference({ phone: PHONE, userId: null, wish: "in", at: new Date() }, channel, deps());
  const takeOff = () => deleteNumber(database.db, { orgId, number: PHONE }, secrets);
  const list = () =>
    insertNumbers(database.db, { orgId, numbers: [PHONE], reason: "", source: "whatsapp", at: LONG_AGO });
  const lockThreads = () => (trx: typeof database.db) =>
    trx.selectFrom("messaging_threads").select("id").where("org_id", "=", orgId).forUpdate().execute();
  const lockListed = () => (trx: typeof database.db) =>
    trx.selectFrom("do_not_call").select("number").where("org_id", "=", orgId).forUpdate().execute();
  const standing = async () => {
    const listed = await database.db
      .selectFrom("do_not_call")
      .select("number")
      .where("org_id", "=", orgId)
      .execute();
    const { opted_out_at: optedOutAt } = await database.db
      .selectFrom("messaging_threads")
      .select("opted_out_at")
      .where("org_id", "=", orgId)
      .executeTakeFirstOrThrow();
    return { isListed: listed.length > 0, isOptedOut: optedOutAt !== null };
  };

  it.each([
    ["STOP, then a member who takes the number off the list", () => say("STOP"), takeOff, false],
    ["a member who takes the number off the list, then STOP", takeOff, () => say("STOP"), true],
  ])("%s: the conversation and the list agree", async (_what, first, second, isOut) => {
    await say("Hello");
    await list();
    expect(await raceBehind(database, lockThreads(), [first, second])).toEqual([]);
    expect(await standing()).toEqual({ isListed: isOut, isOptedOut: isOut });
  });

  it.each([
    ["START and a choice in WhatsApp", () => say("START"), resume],
    ["a choice in WhatsApp and START", resume, () => say("START")],
    ["STOP and a choice in WhatsApp", () => say("STOP"), resume],
    ["a number taken off the list and a choice in WhatsApp", takeOff, resume],
  ])("%s wait for each other, and both count", async (_what, first, second) => {
    await say("Hello");
    await list();
    expect(await raceBehind(database, lockListed(), [first, second])).toEqual([]);
  });

  it("two tables with the same numbers are imported, whatever their order", async () => {
    const numbers = Array.from({ length: 50 }, (_, nr) => `+316000001${String(nr).padStart(2, "0")}`);
    const [middle = ""] = numbers.slice(25);
    const add = (some: readonly string[]) =>
      insertNumbers(database.db, { orgId, numbers: some, reason: "", source: "import", at: LONG_AGO });
    const hold = (trx: typeof database.db) =>
      insertNumbers(trx, { orgId, numbers: [middle], reason: "", source: "import", at: LONG_AGO });
    const failed = await raceBehind(database, hold, [() => add(numbers), () => add(numbers.toReversed())]);
    expect(failed).toEqual([]);
  });

  it("two WhatsApp campaigns to the same people write to all of them", async () => {
    await say("Hello", PHONE);
    await say("Hello", OTHER_PHONE);
    const first = await addCampaign([PHONE, OTHER_PHONE]);
    const second = await addCampaign([OTHER_PHONE, PHONE]);
    const run = (id: string) => () =>
      runWhatsAppCampaign(id, {
        ...deps(),
        log: { warn: () => undefined } as never,
        admitMessages: async (_trx, { messages }) => ({ admitted: messages }),
      });
    expect(await raceBehind(database, lockThreads(), [run(first), run(second)])).toEqual([]);
    const queued = await database.db
      .selectFrom("messaging_messages")
      .select("id")
      .where("org_id", "=", orgId)
      .where("direction", "=", "out")
      .execute();
    expect(queued).toHaveLength(4);
  });

  it.each(["a campaign", "their erasure"])(
    "a person is written to by a campaign and erased at once, where %s comes first: both are done",
    async (first) => {
      await say("Hello");
      const id = await addCampaign([PHONE]);
      const write = () =>
        runWhatsAppCampaign(id, {
          ...deps(),
          log: { warn: () => undefined } as never,
          admitMessages: async (_trx, { messages }) => ({ admitted: messages }),
        });
      // In the order of the modules: conversations before lists.
      const known = [choicesAlone(secrets), contactsWithoutSession(deps().queue, secrets), LISTED];
      const erase = () => forgetKnown({ orgId, identifier: PHONE }, { database, known });
      const works = first === "a campaign" ? [write, erase] : [erase, write];
      expect(await raceBehind(database, lockThreads(), works)).toEqual([]);
    },
  );

  async function addCampaign(phones: readonly string[]): Promise<string> {
    const id = newId("cmp");
    const at = new Date(Date.now() - 2_000);
    const hours = { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" };
    const template = { name: "reminder", language: "en" };
    const settings = { channelId: channel.id, template, hours, messagesPerMinute: 600 };
    await database.db
      .insertInto("campaigns")
      .values({
        ...{ id, org_id: orgId, kind: "whatsapp", name: "Spring", status: "running", created_by: "usr_1" },
        ...{
          settings: JSON.stringify(settings),
          created_at: at,
          updated_at: at,
          started_at: at,
          next_dial_at: at,
        },
      })
      .execute();
    for (const phone of phones)
      await database.db
        .insertInto("campaign_targets")
        .values({
          ...{ id: newId("tgt"), campaign_id: id, org_id: orgId, phone, variables: "{}" },
          ...{ zone: "Europe/Amsterdam", due_at: at, created_at: at },
        })
        .execute();
    return id;
  }
});
