import { systemClock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CallbackRoute } from "../../../testkit/fakes/carriers/callback-route.ts";
import type {
  FakeCall,
  FakeCarrier,
  FakeCarrierOptions,
} from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { playScript } from "../../../testkit/fakes/carriers/scripts.ts";
import type { AccountCarrier, AnsweredBy, Dial, EndStatus } from "./carrier.ts";
import type { CarrierNetwork } from "./carrier-api.ts";

export const TO = "+15551230009";
const COLLEAGUE = "+4930123456";
export const FROM = "+15550001111";
const MEDIA_URL = "wss://gateway.example/v1/media/carrier/ses_1/ticket&<'\"";
/** Plays scripts at 200 times real time. */
const SCRIPT_SPEED = 200;

/** What a carrier's test supplies to the contract. */
export interface CarrierUnderTest {
  startFake(options?: FakeCarrierOptions): Promise<FakeCarrier>;
  create(network: CarrierNetwork): AccountCarrier;
  /** A carrier whose REST credentials belong to nobody. */
  createWrong(network: CarrierNetwork): AccountCarrier;
  /** Secret parts of its credentials, which must not appear in any error. */
  readonly secrets: readonly string[];
  /** Verdict when a greeting begins, or at the beep after it where the carrier can detect one. */
  readonly machine: AnsweredBy;
  readonly beep?: AnsweredBy;
  /** Whether the signature covers the address. */
  readonly signsUrl: boolean;
  /** Headers every callback requires. */
  readonly signedHeaders: readonly string[];
}

const dispatcher = createGuardedDispatcher({
  allowPrivateTargets: ["127.0.0.0/8"],
  connectTimeoutMs: 2_000,
  connectionsPerHost: 16,
  keepAliveMs: 1_000,
  resolve: createSystemResolver({ clock: systemClock }),
});

/** Per-test fake, carrier and callback route. */
export class CarrierBench {
  fake!: FakeCarrier;
  carrier!: AccountCarrier;
  route!: CallbackRoute;

  constructor(under: CarrierUnderTest) {
    beforeAll(async () => {
      this.fake = await under.startFake();
    });
    beforeEach(async () => {
      this.fake.fault = undefined;
      this.carrier = under.create(this.network());
      this.route = await new CallbackRoute(this.carrier).start();
      this.route.mediaUrl = MEDIA_URL;
    });
    afterEach(() => this.route.close());
    afterAll(() => this.fake.close());
  }

  network(more: Partial<CarrierNetwork> = {}): CarrierNetwork {
    return { baseUrl: this.fake.url, dispatcher: () => dispatcher, clock: systemClock, ...more };
  }

  dial(more: Partial<Dial> = {}): Dial {
    return {
      sessionId: newId("ses"),
      to: TO,
      from: FROM,
      mediaUrl: MEDIA_URL,
      callbackUrl: this.route.url,
      ringTimeoutSecs: 30,
      ...more,
    };
  }

  legOf(callSid: string): FakeCall {
    return this.fake.calls.get(callSid) as FakeCall;
  }

  /** Places an outbound call that is answered. */
  async answered(more: Partial<Dial> = {}): Promise<string> {
    const { callSid } = await this.carrier.dial(this.dial(more));
    await this.fake.tell(callSid, { type: "answered" });
    return callSid;
  }
}

/** Contract of every carrier over the life of a call. */
export function describeCarrierContract(name: string, under: CarrierUnderTest): void {
  describe(`the carrier contract, kept by ${name}`, () => {
    const bench = new CarrierBench(under);
    const inboundCall = (): FakeCall => ({
      callSid: newId("ses"),
      direction: "inbound",
      to: FROM,
      from: TO,
      callbackUrl: bench.route.url,
      state: "ringing",
    });

    describe("a call out", () => {
      it("rings, is answered, has its media at our socket and ends", async () => {
        const { callSid } = await bench.carrier.dial(bench.dial());
        const leg = bench.legOf(callSid);
        expect([leg.to, leg.from].map((number) => number.replace("+", ""))).toEqual(
          [TO, FROM].map((n) => n.slice(1)),
        );
        expect(leg).toMatchObject({ ringTimeoutSecs: 30, detection: undefined });
        await bench.fake.tell(callSid, { type: "ringing" });
        await bench.fake.tell(callSid, { type: "answered" });
        expect(
          leg.mediaUrl?.replaceAll("&apos;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<"),
        ).toBe(MEDIA_URL);
        await bench.fake.tell(callSid, { type: "ended", status: "completed" });
        expect(bench.route.events).toMatchObject([
          { type: "ringing", callSid },
          { type: "answered", callSid },
          { type: "ended", callSid, status: "completed" },
        ]);
        expect(bench.route.refusals).toEqual([]);
      });

      it.each<EndStatus>(["busy", "no-answer", "failed", "canceled"])(
        "that is not answered ends as %s",
        async (status) => {
          const { callSid } = await bench.carrier.dial(bench.dial());
          await bench.fake.tell(callSid, { type: "ringing" });
          await bench.fake.tell(callSid, { type: "ended", status });
          expect(bench.route.events.at(-1)).toEqual({ type: "ended", callSid, status });
        },
      );

      it("tells of a machine, and of its beep where the carrier hears it", async () => {
        const callSid = await bench.answered({ machineDetection: "true" });
        await bench.fake.tell(callSid, { type: "machine" });
        await bench.fake.tell(callSid, { type: "beep" });
        const verdicts = bench.route.events.flatMap((event) =>
          event.type === "machine" ? [event.answeredBy] : [],
        );
        expect(verdicts).toEqual(under.beep === undefined ? [under.machine] : [under.machine, under.beep]);
      });

      it("leaves it to us to drop a machine", async () => {
        const callSid = await bench.answered({ machineDetection: "hangup" });
        await bench.fake.tell(callSid, { type: "machine" });
        expect(bench.route.events.at(-1)).toEqual({ type: "machine", callSid, answeredBy: under.machine });
        expect(bench.legOf(callSid).state).toBe("answered");
      });

      it("tells of a human, and says nothing of either when it was not asked to look", async () => {
        const callSid = await bench.answered({ machineDetection: "true" });
        await bench.fake.tell(callSid, { type: "human" });
        expect(bench.route.events.at(-1)).toEqual({ type: "machine", callSid, answeredBy: "human" });
        const other = await bench.answered();
        await bench.fake.tell(other, { type: "machine" });
        expect(bench.route.events.at(-1)).toMatchObject({ type: "answered", callSid: other });
      });

      it("plays the script of its number", async () => {
        const scripted = await under.startFake({
          onDial: (leg, phones) => playScript(leg, phones, SCRIPT_SPEED),
        });
        const scriptedCarrier = under.create(bench.network({ baseUrl: scripted.url }));
        await scriptedCarrier.dial(bench.dial({ to: "+15551230001" }));
        await expect.poll(() => bench.route.events.at(-1)).toMatchObject({ type: "ended", status: "busy" });
        await scriptedCarrier.dial(bench.dial({ to: "+15551230002", ringTimeoutSecs: 10 }));
        await expect
          .poll(() => bench.route.events.at(-1))
          .toMatchObject({ type: "ended", status: "no-answer" });
        await scripted.close();
      });
    });

    describe("a call that is on", () => {
      it("is hung up", async () => {
        const callSid = await bench.answered();
        await bench.carrier.hangUp(callSid);
        await expect
          .poll(() => bench.route.events.at(-1))
          .toEqual({ type: "ended", callSid, status: "completed" });
      });

      it("is hung up before anybody answers", async () => {
        const { callSid } = await bench.carrier.dial(bench.dial());
        await bench.carrier.hangUp(callSid);
        await expect
          .poll(() => bench.route.events.at(-1))
          .toEqual({ type: "ended", callSid, status: "canceled" });
      });

      const transferred = async (): Promise<string> => {
        const callSid = await bench.answered();
        const to = { to: COLLEAGUE, from: FROM, callbackUrl: bench.route.url, ringTimeoutSecs: 30 };
        await bench.carrier.transfer(callSid, to);
        await expect.poll(() => bench.legOf(callSid).transferredTo).toBe(COLLEAGUE);
        return callSid;
      };

      it("is transferred, and leaves our socket", async () => {
        const callSid = await transferred();
        await bench.fake.tell(callSid, { type: "transferred" });
        expect(bench.route.events.at(-1)).toEqual({ type: "transferred", callSid });
        await bench.carrier.stopMedia?.(callSid);
        expect(bench.legOf(callSid).mediaUrl).toBeUndefined();
        expect(bench.route.refusals).toEqual([]);
      });

      it.each(["busy", "no-answer", "failed"] as const)(
        "comes back to our socket when the transfer is %s",
        async (why) => {
          const callSid = await transferred();
          await bench.fake.tell(callSid, { type: "transfer_failed", why });
          expect(bench.route.events.at(-1)).toMatchObject({ type: "transfer_failed", callSid, why });
          expect(bench.legOf(callSid)).toMatchObject({ mediaUrl: expect.any(String), state: "answered" });
          expect(bench.route.refusals).toEqual([]);
        },
      );

      it("is joined with who was told of it first", async () => {
        const callSid = await bench.answered();
        const consultCall = {
          sessionId: newId("ses"),
          transferId: newId("trf"),
          to: COLLEAGUE,
          from: FROM,
          callbackUrl: `${bench.route.url}/transfers/trf_1`,
          ringTimeoutSecs: 30,
          whisper: "Ada & her order: she's waiting.",
        };
        const { transferId } = consultCall;
        const target = await bench.carrier.consult(consultCall);
        const { callSid: targetSid } = target;
        expect(bench.legOf(targetSid)).toMatchObject({ ringTimeoutSecs: 30, detection: undefined });
        bench.route.onAnswered = (sid) => bench.carrier.whisper(sid, consultCall);
        bench.route.onWhispered = async () => {
          await bench.carrier.join(callSid, { targetSid, transferId, callbackUrl: bench.route.url });
          return bench.carrier.joinAnswer(transferId);
        };
        await bench.fake.tell(targetSid, { type: "answered" });
        await expect.poll(() => bench.legOf(targetSid).whisper?.text).toBe(consultCall.whisper);
        const { mediaUrl, room } = bench.legOf(callSid);
        expect([mediaUrl === undefined, room]).toEqual([false, undefined]);
        await bench.fake.tell(targetSid, { type: "whispered" });
        await expect
          .poll(() => [callSid, targetSid].map((sid) => bench.legOf(sid).room))
          .toEqual([transferId, transferId]);
        expect(bench.route.refusals).toEqual([]);
      });
    });

    describe("a call in", () => {
      it("is told with both numbers in E.164, and connected", async () => {
        const leg = inboundCall();
        await bench.fake.callIn(leg);
        expect(bench.route.events).toEqual([{ type: "inbound", callSid: leg.callSid, from: TO, to: FROM }]);
        expect(leg.mediaUrl).toBeDefined();
      });

      it("is refused when nobody takes it", async () => {
        bench.route.isClosed = true;
        const leg = inboundCall();
        await bench.fake.callIn(leg);
        expect(leg.mediaUrl).toBeUndefined();
        expect(bench.route.refusals).toEqual([]);
      });
    });
  });
}
