import { z } from "zod";
import type { Actions } from "../../connector.ts";
import { read } from "../read.ts";
import { API } from "./verify.ts";

const posted = z.object({ ok: z.literal(true), channel: z.string(), ts: z.string() });

export const actions: Actions = {
  "message.send": async ({ to, text }, { vendor }) => {
    const { body } = await vendor.send({
      method: "POST",
      url: `${API}/chat.postMessage`,
      json: { channel: to, text: plain(text) },
    });
    const { channel, ts } = read(posted, body);
    // A message's time is its own in its channel only.
    return { id: `${channel}:${ts}` };
  },
};

/** What a caller said is text: `<!channel>` in it calls nobody. */
function plain(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
