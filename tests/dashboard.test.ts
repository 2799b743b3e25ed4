import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityFaults, tabTo } from "../testkit/app-browser.ts";
import type { TestControlApi } from "../testkit/control-api.ts";
import { goTo, heading, overflowOf, signIn, signOut, TestDashboard } from "../testkit/dashboard.ts";
import { CLIENT_ID, CLIENT_SECRET, FakeIssuer } from "../testkit/fakes/oidc-issuer.ts";
import { isFine } from "../testkit/fine-page.ts";
import { needs } from "../testkit/needs.ts";
import { PASSWORD, TestPerson } from "../testkit/person.ts";

describe.runIf(needs("chromium"))("the dashboard in a browser", () => {
  let issuer: FakeIssuer;
  let dashboard: TestDashboard;
  let api: TestControlApi;

  beforeAll(async () => {
    issuer = await FakeIssuer.start();
    const provider = {
      id: "acme",
      name: "Acme",
      issuer: issuer.url,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    };
    dashboard = await TestDashboard.start({ env: { OIDC_PROVIDERS: JSON.stringify([provider]) } });
    api = dashboard.api;
  });
  afterAll(async () => {
    await dashboard.close();
    await issuer.close();
  });

  test("somebody new signs up, proves the address and makes a key that works", async () => {
    const page = await dashboard.open("/keys");
    await heading(page, "Sign in");
    await page.getByLabel("Email or mobile number").fill("New.Person@Example.com");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await heading(page, "Create account");
    expect(await page.getByLabel("Email or mobile number").inputValue()).toBe("new.person@example.com");
    await page.getByLabel("Organization").fill("New Telephony");
    await page.getByLabel("Password", { exact: true }).fill("password123");
    await page.getByRole("button", { name: "Create account" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("too easy to guess");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, "Verify your email");
    const [mail] = await api.messagesTo("new.person@example.com");
    await page.getByLabel("6-digit code").fill(/code is (\d{6})/.exec(mail?.text ?? "")?.[1] ?? "");
    await page.getByRole("button", { name: "Confirm" }).click();
    await heading(page, "API keys");
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByLabel("Name").fill("server");
    await page.getByRole("dialog").getByRole("button", { name: "Create API key" }).click();
    const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect((await api.call("GET", "/api/v1/me", { key: secret })).status).toBe(200);
    await page.getByRole("button", { name: "I’ve saved it" }).click();
    await page.getByRole("button", { name: "Revoke server" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    expect((await api.call("GET", "/api/v1/me", { key: secret })).status).toBe(401);
  });

  test("the second factor is turned on, asked for, and a recovery code gets in without the app", async () => {
    const { generate } = await import("otplib");
    const person = await TestPerson.register(api);
    const page = await dashboard.open("/security");
    await signIn(page, person.email);
    await heading(page, "Security");
    await page.getByRole("button", { name: "Turn on" }).click();
    const dialog = page.getByRole("dialog");
    const secret = (await dialog.locator("code").textContent()) ?? "";
    expect(await dialog.getByRole("img").getAttribute("src")).toContain("data:image/png");
    await dialog.getByLabel("6-digit code").fill(await generate({ secret }));
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByText("Save your recovery codes").waitFor();
    const [recoveryCode] = await dialog.locator("li code").allTextContents();
    await page.getByRole("button", { name: "I’ve saved these codes" }).click();
    await signOut(page);
    await heading(page, "Sign in");
    await signIn(page, person.email);
    await heading(page, "Two-factor authentication");
    await page.getByLabel("Code from your authenticator app").fill("000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recoveryCode ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading(page, "Security");
  });

  test("a code signs in without the password", async () => {
    const person = await TestPerson.register(api);
    const page = await dashboard.open("/sign-in");
    await page.getByLabel("Email or mobile number").fill(person.email);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign in with a code" }).click();
    await heading(page, "Enter your code");
    await page.getByLabel("6-digit code").fill(await person.lastCode());
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading(page, "Home");
  });

  test("an identity provider signs in, and brings back to the page that was asked for, by its old address too", async () => {
    issuer.user = { sub: "browser-1", email: "idp@example.com", email_verified: true, name: "Ida" };
    const page = await dashboard.open("/settings/members");
    await page.getByRole("button", { name: "Continue with Acme" }).click();
    await heading(page, "Members");
    expect(page.url()).toBe(dashboard.address("/members"));
    await page.getByText("idp@example.com").first().waitFor();
  });

  test("a forgotten password is set again by the link, whose token does not stay in the address", async () => {
    const person = await TestPerson.register(api);
    const page = await dashboard.open("/forgot-password");
    await page.getByLabel("Email or mobile number").fill(person.email);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByRole("status").getByText("on its way").waitFor();
    const [mail] = await api.messagesTo(person.email);
    await page.goto(/http\S+/.exec(mail?.text ?? "")?.[0] ?? "");
    await heading(page, "Set a new password");
    expect(page.url()).toBe(dashboard.address("/reset-password"));
    await page.getByLabel("New password", { exact: true }).fill("another good password");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("status").getByText("Password set").waitFor();
    expect((await person.logIn({ password: "another good password" })).status).toBe(200);
  });

  test("an invitation makes an account and a member, whose role is changed on the page", async () => {
    const owner = await TestPerson.registerVerified(api, { organizationName: "Inviting" });
    const page = await dashboard.open("/members");
    await signIn(page, owner.email);
    await heading(page, "Members");
    await page.getByLabel("Email", { exact: true }).fill("guest@example.com");
    await page.getByRole("button", { name: "Send invitation" }).click();
    await page.getByText("Invitation sent to guest@example.com.").waitFor();
    const [mail] = await api.messagesTo("guest@example.com");
    const guest = await dashboard.open("/sign-in");
    await guest.goto(/http\S+/.exec(mail?.text ?? "")?.[0] ?? "");
    await guest.getByText(`${owner.email} invited you to join Inviting as a member.`).waitFor();
    expect(await guest.getByLabel("Email", { exact: true }).inputValue()).toBe("guest@example.com");
    await isFine(guest, "invitation");
    await guest.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await guest.getByRole("button", { name: "Create account and join" }).click();
    await heading(guest, "Home");
    await guest.goto(dashboard.address("/keys"));
    await guest.getByText("Your role is member.").waitFor();
    await page.goto(/http\S+/.exec(mail?.text ?? "")?.[0] ?? "");
    await page.getByRole("alert").getByText("The invitation was already used").waitFor();
    expect(await page.getByRole("button", { name: /join/i }).count()).toBe(0);
    await page.goto(dashboard.address("/members"));
    await page.getByLabel("Role of guest@example.com").selectOption("developer");
    await guest.reload();
    await guest.getByRole("button", { name: "Create API key" }).waitFor();
  });

  test("two tabs stay signed in when both need a new token at once, and leave together", async () => {
    const person = await TestPerson.register(api);
    const first = await dashboard.open("/keys");
    await signIn(first, person.email);
    await heading(first, "API keys");
    const second = await first.context().newPage();
    await second.goto(dashboard.address("/keys"));
    await Promise.all([first.reload(), second.reload()]);
    await Promise.all([heading(first, "API keys"), heading(second, "API keys")]);
    await signOut(first);
    await Promise.all([heading(first, "Sign in"), heading(second, "Sign in")]);
  });

  test("signing in, and making a key, take the keyboard alone", async () => {
    const person = await TestPerson.register(api);
    const page = await dashboard.open("/sign-in?next=/keys");
    await heading(page, "Sign in");
    await tabTo(page, "Email or mobile number");
    await page.keyboard.type(person.email);
    await page.keyboard.press("Enter");
    await heading(page, "Your password");
    await tabTo(page, "Password");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await heading(page, "API keys");
    await tabTo(page, "Create API key");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("by keyboard");
    await page.keyboard.press("Enter");
    await page.getByText("Copy your API key").waitFor();
    for (const _ of [1, 2, 3]) await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count(), "what is shown once stays").toBe(1);
    await tabTo(page, "I’ve saved it");
    await page.keyboard.press("Enter");
    await page.getByText("by keyboard").first().waitFor();
    await expect.poll(() => focused(page)).toBe("Create API key");
  });

  test("a dialog asks before it does what cannot be undone, and the focus is never lost", async () => {
    const person = await TestPerson.register(api);
    const keys = `/api/orgs/${person.orgId}/api-keys`;
    await person.call("POST", keys, { name: "server" });
    const page = await dashboard.openAs(person.email, "/keys");
    await page.getByRole("button", { name: "Revoke server" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page), { message: "Enter twice revokes nothing" }).toBe("Revoke server");
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**${keys}/*`, async (route) => {
      await held;
      await route.fulfill({ status: 409, json: { success: false, error: "Not now.", code: "conflict" } });
    });
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.locator("form[aria-busy=true]").waitFor();
    expect(await focused(page), "while it is done").toBe("Revoke");
    release();
    await page.getByRole("alert").getByText("Not now.").waitFor();
    expect(await focused(page), "what failed can be done again").toBe("Revoke");
    await page.unroute(`**${keys}/*`);
    await page.keyboard.press("Enter");
    await page.getByText("Revoked", { exact: true }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page), { message: "the button that opened it is gone" }).toBe("API keys");
  });

  test("a screen reader is told where it is and what went wrong, and axe finds nothing", async () => {
    const person = await TestPerson.register(api);
    await person.call("POST", `/api/orgs/${person.orgId}/api-keys`, { name: "server" });
    for (const dark of [false, true]) {
      const page = await dashboard.open("/sign-up", { dark, width: dark ? 390 : 1280 });
      await heading(page, "Create account");
      expect(await focused(page)).toBe("Create account");
      expect(await accessibilityFaults(page)).toEqual([]);
      for (const [path, title] of [
        ["/forgot-password", "Forgot your password?"],
        ["/reset-password#token=x", "Set a new password"],
        ["/invitation#token=x", "You are invited"],
      ] as const) {
        await page.goto(dashboard.address(path));
        await heading(page, title);
        expect(await accessibilityFaults(page), path).toEqual([]);
      }
      await page.goto(dashboard.address("/keys"));
      await heading(page, "Sign in");
      expect(await accessibilityFaults(page)).toEqual([]);
      await signIn(page, person.email, "wrong");
      await page.getByRole("alert").getByText("Wrong email or password").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      for (const [link, title] of [
        ["API keys", "API keys"],
        ["Members", "Members"],
        ["Audit log", "Audit log"],
        ["Security", "Security"],
      ] as const) {
        if (link === "Security") await page.goto(dashboard.address("/security"));
        else await goTo(page, link);
        await heading(page, title);
        await page.getByRole("table").first().waitFor();
        expect(await page.title()).toBe(`${title} · Parley`);
        expect(await accessibilityFaults(page), title).toEqual([]);
        expect(await overflowOf(page), `${title} is wider than the screen`).toBe(0);
      }
      await page.getByRole("button", { name: "Turn on" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await accessibilityFaults(page), "the dialog of the second factor").toEqual([]);
      await page.keyboard.press("Escape");
      await goTo(page, "API keys");
      await page.getByRole("button", { name: "Revoke server" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await accessibilityFaults(page), "the dialog of a key").toEqual([]);
    }
  });
});

/** What the element that has the focus says. */
function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.textContent ?? undefined);
}
