import { expect, it } from "vitest";
import { createClientStt } from "./client.ts";
import { SttProbe } from "./stt.contract.ts";

it("takes no audio and answers each finalize with no text", () => {
  const probe = new SttProbe(createClientStt());
  expect(probe.session.feed).toBe("none");
  probe.session.write(new Int16Array(320));
  probe.session.finalize();
  probe.session.finalize();
  probe.session.close();
  const empty = { type: "final", text: "", fromFinalize: true };
  expect(probe.events).toEqual([empty, empty]);
});
