// Real time: a browser's microphone speaks, and a recognizer hears it as it comes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../testkit/needs.ts";
import { TestProduct } from "../testkit/product.ts";
import { TalkBrowser } from "../testkit/talk-browser.ts";

describe.runIf(needs("chromium") && needs("pocketsphinx"))(
  "the talk page and the real gateway",
  { timeout: 240_000 },
  () => {
    let product: TestProduct;
    let browser: TalkBrowser;

    beforeAll(async () => {
      product = await TestProduct.start();
      browser = await TalkBrowser.asking("What are your opening hours?");
    });
    afterAll(async () => {
      await browser.close();
      await product.remove();
    });

    it("hear a question at the microphone and answer it, in the transcript and the chart", async () => {
      const page = await browser.open(`${product.demo.baseUrl}/talk`);
      await page.getByRole("button", { name: "Start talking" }).click();
      const log = page.getByRole("log");
      await log
        .getByText(/Hello, this is Parley/)
        .first()
        .waitFor({ timeout: 90_000 });
      await log
        .getByText(/open from eleven in the morning/)
        .first()
        .waitFor({ timeout: 90_000 });
      expect(await log.textContent()).toMatch(/hours/i);
      await page.getByLabel("Type what you want to say").fill("Goodbye");
      await page.keyboard.press("Enter");
      await log
        .getByText(/Thank you for calling/)
        .first()
        .waitFor({ timeout: 90_000 });
      await page.getByRole("button", { name: "Call again" }).waitFor({ timeout: 90_000 });
      const messages = await page.consoleMessages();
      const errors = messages
        .filter((message) => message.type() === "error")
        .map((message) => message.text());
      expect(errors, "what the browser says is wrong, such as a breach of the page's policy").toEqual([]);
      await page.context().close();
    });
  },
);
