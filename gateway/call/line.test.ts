import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { expect, it } from "vitest";
import { type CallerConnection, CallerLine } from "./line.ts";

it("is left by a connection before it is closed, as a socket may report its end while it is being closed", () => {
  const line = new CallerLine();
  const heldAtItsEnd: boolean[] = [];
  const connection: CallerConnection = {
    format: { encoding: "pcm_s16le", sampleRate: 16_000 },
    reportsPlayed: false,
    send: () => undefined,
    sendFrame: () => undefined,
    together: (work) => work(),
    close: () => heldAtItsEnd.push(line.isHeldBy(connection)),
  };
  line.connect(connection);
  line.close(CLOSE.ended);
  line.close(CLOSE.ended);
  expect(heldAtItsEnd).toEqual([false]);
});
