import { beforeEach, describe, expect, it } from "vitest";
import type { SignedCallback } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { CarrierBench, type CarrierUnderTest, FROM, TO } from "./carrier.contract.ts";
import type { CarrierRequest } from "./carrier.ts";

const PATIENCE_MS = 300;

/** Contract of every carrier for failures: refused commands and forged callbacks. */
export function describeCarrierRefusals(name: string, under: CarrierUnderTest): void {
  describe(`the carrier contract for what is wrong, kept by ${name}`, () => {
    const bench = new CarrierBench(under);

    describe("a command that fails", () => {
      it("for credentials says which settings to check, and tells no secret", async () => {
        const wrong = under.createWrong(bench.network());
        for (const fail of [
          () => wrong.dial(bench.dial()),
          () => wrong.hangUp("x"),
          () => wrong.checkAccount(),
        ]) {
          const error = await fail().catch((thrown) => thrown);
          expect(error).toMatchObject({ code: "unauthorized", message: expect.stringContaining("Check ") });
          for (const secret of under.secrets) expect(`${error.message} ${error.stack}`).not.toContain(secret);
        }
        await bench.carrier.checkAccount();
      });

      it("for a number says so in the carrier's words", async () => {
        const refused = bench.carrier.dial(bench.dial({ to: "+99912345678" }));
        await expect(refused).rejects.toMatchObject({
          code: "bad_request",
          message: expect.stringMatching(/: .{10}/),
        });
      });

      it("for a call that is over or was never there is not found", async () => {
        const callSid = await bench.answered();
        await bench.carrier.hangUp(callSid);
        const to = { to: TO, from: FROM, callbackUrl: bench.route.url, ringTimeoutSecs: 30 };
        for (const sid of [callSid, "never-there"]) {
          for (const fail of [() => bench.carrier.hangUp(sid), () => bench.carrier.transfer(sid, to)]) {
            await expect(fail()).rejects.toMatchObject({ code: "not_found" });
          }
        }
      });

      it("for too many requests says when to come back", async () => {
        bench.fake.fault = { status: 429, headers: { "retry-after": "7" } };
        await expect(bench.carrier.dial(bench.dial())).rejects.toMatchObject({
          code: "too_many_requests",
          retryAfterSecs: 7,
        });
        bench.fake.fault = {
          status: 429,
          headers: { "retry-after": new Date(Date.now() + 60_000).toUTCString() },
        };
        const error = await bench.carrier.dial(bench.dial()).catch((thrown) => thrown);
        expect(error.retryAfterSecs).toBeGreaterThan(50);
        bench.fake.fault = { status: 429 };
        await expect(bench.carrier.hangUp("x")).rejects.toMatchObject({ retryAfterSecs: 1 });
      });

      it.each([500, 502, 503])("with %i is sent once, and a dial is not to be repeated", async (status) => {
        bench.fake.fault = { status };
        const before = bench.fake.requests.length;
        await expect(bench.carrier.dial(bench.dial())).rejects.toMatchObject({
          code: "unavailable",
          retryable: false,
        });
        expect(bench.fake.requests).toHaveLength(before + 1);
        await expect(bench.carrier.hangUp("x")).rejects.toMatchObject({
          code: "unavailable",
          retryable: true,
        });
      });

      it("without an answer is given up in time", async () => {
        bench.fake.fault = "hang";
        const impatient = under.create(bench.network({ timeoutMs: PATIENCE_MS }));
        await expect(impatient.dial(bench.dial())).rejects.toMatchObject({
          code: "unavailable",
          retryable: false,
        });
        const nowhere = under.create(bench.network({ baseUrl: "http://127.0.0.1:1" }));
        await expect(nowhere.hangUp("x")).rejects.toMatchObject({ code: "unavailable", retryable: true });
      });

      it("with an answer that says nothing is not taken for a call", async () => {
        bench.fake.fault = { status: 200 };
        await expect(bench.carrier.dial(bench.dial())).rejects.toMatchObject({
          code: "unavailable",
          retryable: false,
        });
      });
    });

    describe("a callback is refused", () => {
      let genuine: SignedCallback;
      beforeEach(async () => {
        const { callSid } = await bench.carrier.dial(bench.dial());
        genuine = await bench.fake.sign(callSid, { type: "ringing" });
      });
      const asRequest = ({ method, url, headers, body }: SignedCallback): CarrierRequest => ({
        method,
        url,
        headers,
        body: Buffer.from(body),
      });
      const read = (changed: Partial<SignedCallback> = {}) =>
        bench.carrier.readCallback(asRequest({ ...genuine, ...changed }));
      const refusal = expect.objectContaining({ code: "unauthorized" });

      it("when it was sent before: it is known again, and another one is another", async () => {
        const { once, events } = read();
        expect(events).toHaveLength(1);
        expect(read().once).toBe(once);
        const { callSid } = await bench.carrier.dial(bench.dial());
        const other = await bench.fake.sign(callSid, { type: "ringing" });
        expect(bench.carrier.readCallback(asRequest(other)).once).not.toBe(once);
      });

      it("when a byte of its body was changed, added or taken", () => {
        const { body } = genuine;
        const flipped = body.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
        for (const changed of [flipped, `${body}&a=b`, `${body} `, body.slice(0, -1), ""]) {
          expect(() => read({ body: changed }), changed).toThrow(refusal);
        }
        expect(read().events).toHaveLength(1);
      });

      it(`when it comes at another address${under.signsUrl ? "" : ": not by itself, but as a replay"}`, () => {
        const { url } = genuine;
        const { once } = read();
        for (const other of [
          `${url}?a=b`,
          url.replace("ses_1", "ses_2"),
          url.replace("127.0.0.1", "127.0.0.2"),
        ]) {
          if (under.signsUrl) expect(() => read({ url: other }), other).toThrow(refusal);
          else expect(read({ url: other }).once).toBe(once);
        }
      });

      it.each(under.signedHeaders)("without %s, or with another", (header) => {
        const { [header]: value = "", ...others } = genuine.headers;
        for (const changed of [undefined, "", "x", `${value.slice(0, -4)}AAA=`, `${value}x`]) {
          const headers = changed === undefined ? others : { ...others, [header]: changed };
          expect(() => read({ headers }), String(changed)).toThrow(refusal);
        }
      });

      it("when it is of another account", async () => {
        const stranger = under.createWrong(bench.network());
        expect(() => stranger.readCallback(asRequest(genuine))).toThrow(refusal);
      });

      it("when it is called as a GET, with the same query", () => {
        const url = `${genuine.url}?${genuine.body}`;
        expect(() => read({ method: "GET", url, body: "" })).toThrow(refusal);
      });
    });
  });
}
