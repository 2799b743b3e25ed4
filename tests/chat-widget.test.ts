import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults } from "../testkit/app-browser.ts";
import type { BrainTurn } from "../testkit/brain.ts";
import { needs } from "../testkit/needs.ts";
import { focusedIn, messageBox, quiet, SOON, said, saying, TestWidgets, write } from "../testkit/widgets.ts";

const MINUTE_MS = 60_000;

let widgets: TestWidgets;

describe.runIf(needs("chromium"))("the chat widget on a page of another origin", { timeout: 240_000 }, () => {
  beforeAll(async () => {
    widgets = await TestWidgets.start();
  });
  afterAll(() => widgets.close());

  it("holds a conversation of three turns, each shown as it is generated", async () => {
    const { page, shop } = await widgets.visit();
    const replies = ["Hello. What is it?", "For two, at eight.", "See you then."];
    for (const [index, reply] of replies.entries()) {
      let held: BrainTurn | undefined;
      widgets.answer = (turn) => {
        held = turn;
        turn.token(reply.slice(0, 6));
      };
      await write(page, `Message ${index + 1}`);
      await expect.poll(() => said(page), SOON).toContain(reply.slice(0, 6));
      held?.token(reply.slice(6));
      held?.done();
      await expect.poll(() => said(page), SOON).toContain(reply);
      await expect.poll(() => page.locator(".writing").count(), SOON).toBe(0);
    }
    const [one = "", two = "", three = ""] = replies;
    expect(await said(page)).toEqual(["Message 1", one, "Message 2", two, "Message 3", three]);
    expect(shop.minted).toBe(1);
    expect(await page.getByRole("status").first().textContent()).toContain("See you then.");
    const { sessionId } = widgets.chats.brain.turns.at(-1)?.request ?? {};
    expect((await widgets.chats.messages(String(sessionId))).body.messages).toHaveLength(6);
  });

  it("keeps the conversation, what is typed and an answer that is on its way over a reload", async () => {
    const { page } = await widgets.visit();
    widgets.answer = saying("Hello.");
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    let held: BrainTurn | undefined;
    widgets.answer = (turn) => {
      held = turn;
    };
    const before = widgets.chats.brain.turns.length;
    await write(page, "Take your time");
    await expect.poll(() => held, SOON).toBeDefined();
    await messageBox(page).fill("And another th");
    await page.reload();
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello.", "Take your time", ""]);
    expect(await messageBox(page).inputValue()).toBe("And another th");
    saying("Here it is.")(held as BrainTurn);
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello.", "Take your time", "Here it is."]);
    expect(widgets.chats.brain.turns).toHaveLength(before + 1);
  });

  it("begins another conversation when the one before is over, with the message that found out", async () => {
    const { page, shop } = await widgets.visit();
    widgets.answer = saying("Hello.");
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    await quiet(page);
    widgets.clock.step(31 * MINUTE_MS);
    await write(page, "Still there?");
    const notice = "The previous conversation has ended. This is a new one.";
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello.", notice, "Still there?", "Hello."]);
    expect(shop.minted).toBe(2);
    expect(widgets.chats.brain.turns.at(-1)?.request).toMatchObject({ query: "Still there?", turn: 1 });
    widgets.answer = (turn) => turn.control({ event: "call_end", farewell: "Goodbye." });
    await write(page, "Bye");
    const ended = "The conversation has ended. Your next message begins a new one.";
    await expect.poll(async () => (await said(page)).slice(-2), SOON).toEqual(["Goodbye.", ended]);
    widgets.answer = saying("Hello again.");
    await write(page, "One more");
    await expect.poll(async () => (await said(page)).at(-1), SOON).toBe("Hello again.");
    expect(shop.minted).toBe(3);
  });

  it("brings a message through a network that breaks, and asks the brain once", async () => {
    const { page } = await widgets.visit();
    widgets.answer = saying("Hello.");
    let times = 0;
    await page.route("**/api/public/chat", async (route) => {
      times += 1;
      if (times === 1) return route.abort("connectionreset");
      // The answer is generated, and lost on its way back.
      if (times === 2) return route.fetch().then(() => route.abort("connectionreset"));
      return route.continue();
    });
    const before = widgets.chats.brain.turns.length;
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    expect(times).toBe(3);
    expect(widgets.chats.brain.turns).toHaveLength(before + 1);
  });

  it("says when there is no answer, keeps what was written, and tries again when asked to", async () => {
    const { page, shop } = await widgets.visit();
    shop.refusesWith = 403;
    await write(page, "Hello?");
    const alert = page.getByRole("alert");
    await expect.poll(() => alert.textContent(), SOON).toContain("not available");
    await messageBox(page).fill("meanwhile");
    await page.keyboard.press("Enter");
    expect(await messageBox(page).inputValue()).toBe("meanwhile");
    expect(await said(page)).toEqual(["Hello?"]);
    shop.refusesWith = undefined;
    widgets.answer = (turn) => void turn.res.writeHead(500).end();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => alert.textContent(), SOON).toContain("no answer");
    widgets.answer = saying("Hello.");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    expect(await alert.isVisible()).toBe(false);
  });

  it("gives a message that cannot be sent back, in front of what was typed since", async () => {
    const { page } = await widgets.visit();
    await page.route("**/api/public/chat", (route) => route.fulfill({ status: 400 }));
    await write(page, "Hello?");
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await messageBox(page).fill("meanwhile");
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await messageBox(page).inputValue()).toBe("Hello?\nmeanwhile");
    expect(await said(page)).toEqual([]);
    await page.unroute("**/api/public/chat");
    widgets.answer = saying("Hello.");
    await page.keyboard.press("Enter");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?\nmeanwhile", "Hello."]);
  });

  it("begins again when it is asked to twice, and ends what was before", async () => {
    const { page, shop } = await widgets.visit();
    const again = page.getByRole("button", { name: "New chat" });
    const asked = page.getByRole("group", { name: "End this conversation" });
    expect(await again.isVisible(), "there is nothing to end yet").toBe(false);
    widgets.answer = saying("Hello.");
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    const { sessionId } = widgets.chats.brain.turns.at(-1)?.request ?? {};
    await again.click();
    expect(await focusedIn(page)).toBe("Cancel");
    await page.keyboard.press("Escape");
    expect(await asked.isVisible()).toBe(false);
    expect(await focusedIn(page)).toBe("New chat");
    expect(await said(page)).toEqual(["Hello?", "Hello."]);
    let held: BrainTurn | undefined;
    widgets.answer = (turn) => {
      held = turn;
      turn.token("Let me");
    };
    await write(page, "Something long");
    await expect.poll(() => said(page), SOON).toContain("Let me");
    await messageBox(page).fill("Something else");
    await page.keyboard.press("Shift+Tab");
    await again.click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await asked.getByRole("button", { name: "End it" }).click();
    expect(await said(page)).toEqual([]);
    expect(await focusedIn(page)).toBe("message");
    expect(await page.getByRole("status").first().textContent()).toBe("A new conversation has begun.");
    expect(await messageBox(page).inputValue()).toBe("Something else");
    held?.token(" see.");
    held?.done();
    const statusOf = async () => (await widgets.chats.messages(String(sessionId))).body.status;
    await expect.poll(statusOf, SOON).toBe("ended");
    widgets.answer = saying("Hello again.");
    await page.keyboard.press("Enter");
    await expect.poll(() => said(page), SOON).toEqual(["Something else", "Hello again."]);
    expect(shop.minted).toBe(2);
    expect(widgets.chats.brain.turns.at(-1)?.request.sessionId).not.toBe(sessionId);
  });

  it("leaves no chat behind that was left while its first message was on the way", async () => {
    const { page } = await widgets.visit();
    widgets.answer = saying("Hello.");
    const before = widgets.chats.brain.turns.length;
    const { promise: ended, resolve: end } = Promise.withResolvers<number>();
    const { promise: late, resolve: arrive } = Promise.withResolvers<number>();
    await page.route("**/api/public/chat/end", async (route) => {
      const answer = await route.fetch();
      end(answer.status());
      await route.fulfill({ response: answer });
    });
    // A slow network brings the message after the page was told to end the chat.
    const onItsWay = page.waitForRequest("**/api/public/chat");
    await page.route("**/api/public/chat", async (route) => {
      await ended;
      arrive((await route.fetch()).status());
    });
    await write(page, "Hello?");
    await onItsWay;
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByRole("button", { name: "End it" }).click();
    expect([await ended, await late]).toEqual([200, 401]);
    expect(widgets.chats.brain.turns).toHaveLength(before);
  });

  it("ends a chat that was left without a network with the next page", async () => {
    const { page } = await widgets.visit();
    widgets.answer = saying("Hello.");
    await write(page, "Hello?");
    await expect.poll(() => said(page), SOON).toEqual(["Hello?", "Hello."]);
    const { sessionId } = widgets.chats.brain.turns.at(-1)?.request ?? {};
    const statusOf = async () => (await widgets.chats.messages(String(sessionId))).body.status;
    await page.route("**/api/public/chat/end", (route) => route.abort("connectionreset"));
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByRole("button", { name: "End it" }).click();
    await expect.poll(() => said(page), SOON).toEqual([]);
    expect(await statusOf()).toBe("active");
    await page.unroute("**/api/public/chat/end");
    await page.reload();
    await expect.poll(statusOf, SOON).toBe("ended");
  });

  it("tells of a reply that comes while it is closed, until it is opened", async () => {
    const { page } = await widgets.visit();
    let held: BrainTurn | undefined;
    widgets.answer = (turn) => {
      held = turn;
    };
    await write(page, "Take your time");
    await expect.poll(() => held, SOON).toBeDefined();
    await page.keyboard.press("Escape");
    const launcher = page.locator(".launcher");
    expect(await launcher.getAttribute("aria-label")).toBe("Open chat");
    saying("Here it is.")(held as BrainTurn);
    await expect.poll(() => launcher.getAttribute("aria-label"), SOON).toBe("Open chat, New message");
    expect(await page.getByRole("status").textContent()).toBe("New message");
    const dot = () => launcher.evaluate((button) => getComputedStyle(button, "::after").content);
    expect(await dot()).toBe('""');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: "Open chat, New message" }).click();
    expect(await launcher.getAttribute("aria-label")).toBe("Close chat");
    await page.keyboard.press("Escape");
    expect(await launcher.getAttribute("aria-label")).toBe("Open chat");
    expect(await dot()).toBe("none");
  });
});
