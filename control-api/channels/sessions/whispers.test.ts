import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STAY } from "../../../testkit/softphones.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";

const CARD = "4111 1111 1111 1111";
const WHISPER = `Ada, who paid with ${CARD}.`;
const MASKED = "Ada, who paid with [card_number].";
const TO = "+12025550650";
const COLLEAGUE = "+12025550651";
const ORDER = { to: COLLEAGUE, mode: "warm", whisper: WHISPER };

let phones: TestTelephony;
/** What the phones said, or were told by a carrier. */
const spoken: string[] = [];
/** The transfers that were written down while they were told it. */
const written: (string | null)[] = [];

beforeAll(async () => {
  const voice = {
    say: async (text: string) => {
      spoken.push(text);
      const rows = await phones.api.database.db.selectFrom("calls").select("transfer").execute();
      written.push(...rows.map(({ transfer }) => transfer));
      return new Int16Array(1_600);
    },
    close: async () => undefined,
  };
  phones = await TestTelephony.start({
    voice,
    brain: (turn) => {
      if (turn.request.query === "DTMF: 1#") turn.control({ event: "transfer", ...ORDER });
      turn.done();
    },
  });
  phones.phone(COLLEAGUE, { ringMs: 50, outcome: "answers", steps: [STAY] });
});
afterAll(() => phones.close());

type Way = (sessionId: string) => Promise<void>;
const overRest: Way = async (sessionId) => {
  await phones.untilStatus(sessionId, "in-progress");
  const asked = await phones.request("POST", `/api/sessions/${sessionId}/transfer`, ORDER);
  expect(asked.status).toBe(200);
};

describe("the whisper of a warm transfer", () => {
  it.each<[string, readonly ({ do: "press"; keys: string } | typeof STAY)[], Way]>([
    ["over REST", [STAY], overRest],
    ["by the agent's brain", [{ do: "press", keys: "1#" }, STAY], async () => undefined],
  ])(
    "that is asked for %s is spoken and written down without what the PII policy names",
    async (_, steps, ask) => {
      spoken.splice(0);
      written.splice(0);
      const { sessionId } = await phones.dial(phones.phone(TO, { ringMs: 50, outcome: "answers", steps }));
      await ask(sessionId);
      expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: "transferred" });
      expect(spoken).toEqual([MASKED]);
      const kept = await phones.api.database.db
        .selectFrom("call_events")
        .select("body")
        .where("session_id", "=", sessionId)
        .execute();
      expect(written.join()).toContain(MASKED);
      expect(JSON.stringify([written, kept])).not.toContain(CARD);
    },
    30_000,
  );
});
