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
    // A timestamp identifies a message within its channel only.
    return { id: `${channel}:${ts}` };
  },
};

/** Escapes a caller's words, so that `<!channel>` notifies no one. */
function plain(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
