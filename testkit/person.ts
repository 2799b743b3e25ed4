import { newId } from "@parley/shared/ids.ts";
import { generate } from "otplib";
import type { TestAnswer, TestControlApi } from "./control-api.ts";

export const PASSWORD = "correct horse battery staple";

/** A signed-in person with an account and an organization of their own. */
export class TestPerson {
  readonly api: TestControlApi;
  readonly email: string;
  readonly userId: string;
  readonly orgId: string;
  accessToken: string;
  refreshToken: string;

  private constructor(api: TestControlApi, email: string, data: Registered) {
    this.api = api;
    this.email = email;
    this.userId = data.user.id;
    this.orgId = data.organization.id;
    this.accessToken = data.tokens.accessToken;
    this.refreshToken = data.tokens.refreshToken;
  }

  static async register(
    api: TestControlApi,
    extra: Record<string, unknown> & { email?: string } = {},
  ): Promise<TestPerson> {
    const email = extra.email ?? `${newId("usr")}@example.com`;
    const answer = await api.call("POST", "/api/auth/register", {
      body: { password: PASSWORD, ...extra, email },
    });
    if (answer.status !== 201) throw new Error(`register answered ${answer.status}: ${answer.text}`);
    return new TestPerson(api, email, answer.body.data as Registered);
  }

  /** Registers a person with a verified address, who may invite. */
  static async registerVerified(
    api: TestControlApi,
    extra: Record<string, unknown> = {},
  ): Promise<TestPerson> {
    const person = await TestPerson.register(api, extra);
    await person.verify();
    return person;
  }

  async verify(): Promise<void> {
    const users = this.api.database.db.updateTable("users").where("id", "=", this.userId);
    await users.set({ verified_at: new Date() }).execute();
  }

  /** Sends a request with the access token, in the person's own organization by default. */
  call(method: string, path: string, body?: unknown, orgId = this.orgId): Promise<TestAnswer> {
    return this.api.call(method, path, {
      token: this.accessToken,
      orgId,
      ...(body === undefined ? {} : { body }),
    });
  }

  logIn(extra: Record<string, unknown> = {}): Promise<TestAnswer> {
    return this.api.call("POST", "/api/auth/login", {
      body: { email: this.email, password: PASSWORD, ...extra },
    });
  }

  /**
   * Turns the second factor on; returns the secret, the recovery codes and a code generator. Its codes are
   * the next step's, which are already valid: the current code is used up, and a step that ends meanwhile
   * makes the next one current.
   */
  async enableMfa(): Promise<{
    secret: string;
    recoveryCodes: string[];
    code: () => Promise<string>;
  }> {
    const { secret } = (await this.call("POST", "/api/auth/mfa/setup")).body.data as { secret: string };
    const codeAt = (atMs: number) => generate({ secret, epoch: Math.floor(atMs / 1_000) });
    const answer = await this.call("POST", "/api/auth/mfa/verify", { code: await codeAt(Date.now()) });
    if (answer.status !== 200) throw new Error(`mfa/verify answered ${answer.status}: ${answer.text}`);
    const { recoveryCodes } = answer.body.data as { recoveryCodes: string[] };
    return { secret, recoveryCodes, code: () => codeAt(Date.now() + STEP_MS) };
  }

  /** The code last sent to the person's address. */
  async lastCode(): Promise<string> {
    const messages = await this.api.messagesTo(this.email);
    const code = messages
      .map(({ text }) => /code is (\d{6})/.exec(text)?.[1])
      .find((found) => found !== undefined);
    if (code === undefined) throw new Error(`no code was sent to ${this.email}`);
    return code;
  }
}

interface Registered {
  readonly user: { readonly id: string };
  readonly organization: { readonly id: string };
  readonly tokens: { readonly accessToken: string; readonly refreshToken: string };
}

/** Time step of a one-time password (RFC 6238). */
const STEP_MS = 30_000;
