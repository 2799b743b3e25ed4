import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** Speed and length of the load test brain's answers. */
const settings = z
  .object({
    /** Before the first token. */
    BRAIN_FIRST_TOKEN_MS: z.coerce.number().min(0).default(200),
    /** Between tokens; below a millisecond, several are sent at once. */
    BRAIN_TOKEN_MS: z.coerce.number().min(0).default(20),
    /** Words per answer. */
    BRAIN_WORDS: z.coerce.number().int().min(1).default(32),
  })
  .parse(process.env);

const WORDS = ["We", "have", "a", "table", "free", "tomorrow", "evening", "by", "the", "window."];

/** `data:` lines of one answer: a word per token, a sentence every ten words. */
const TOKENS = Array.from({ length: settings.BRAIN_WORDS }, (_, i) => {
  const isLast = i === settings.BRAIN_WORDS - 1;
  const word = WORDS[i % WORDS.length] ?? "";
  const closed = isLast && !word.endsWith(".") ? `${word}.` : word;
  return `data: ${JSON.stringify(isLast ? closed : `${closed} `)}\n\n`;
});
const DONE = "data: [DONE]\n\n";

/** A brain of configurable speed: every answer has the same number of words. */
const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    let at = 0;
    const send = (): void => {
      if (response.destroyed) return;
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
      if (settings.BRAIN_TOKEN_MS < 1) {
        response.end(TOKENS.join("") + DONE);
        return;
      }
      response.write(TOKENS[at] ?? DONE);
      at += 1;
      if (at > TOKENS.length) response.end();
      else setTimeout(send, settings.BRAIN_TOKEN_MS);
    };
    if (settings.BRAIN_FIRST_TOKEN_MS === 0) send();
    else setTimeout(send, settings.BRAIN_FIRST_TOKEN_MS);
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`brain ready at http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
process.once("SIGTERM", () => process.exit(0));
