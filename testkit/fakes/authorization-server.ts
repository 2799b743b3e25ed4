import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Deviations from the normal behavior. */
export interface Habits {
  /** Seconds; null omits the field from replies. */
  expiresIn?: number | null;
  /** Whether a renewal issues a new refresh token and ends the old one. */
  rotates?: boolean;
  /** The access was revoked. */
  isDead?: boolean;
  /** Token requests fail. */
  fails?: boolean;
  /** Replaces the issuer in the authorization endpoint's answer. */
  iss?: string | null;
  /** Delays renewals until this resolves. */
  holdsRenewals?: Promise<void>;
  hasNoPkce?: boolean;
  refusesRegistration?: boolean;
}

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly resource: string | null;
}

/**
 * An authorization server with PKCE, registration, rotation, resource indicators and revocation; everyone
 * consents at once.
 */
export class AuthorizationServer {
  readonly origin: string;
  habits: Habits = {};
  /** Forms posted to the token endpoint, and to the revocation endpoint. */
  readonly tokenRequests: URLSearchParams[] = [];
  readonly revoked: string[] = [];
  readonly registrations: Record<string, unknown>[] = [];
  readonly accessTokens = new Set<string>();
  readonly #codes = new Map<string, Code>();
  readonly #refreshTokens = new Set<string>();
  readonly #server: Server;
  #awaited: { count: number; resolve: () => void } | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<AuthorizationServer> {
    let self: AuthorizationServer | undefined;
    const server = createServer((request, response) => {
      self?.answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    self = new AuthorizationServer(server);
    return self;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get renewals(): number {
    return this.tokenRequests.filter((form) => form.get("grant_type") === "refresh_token").length;
  }

  /** Resolves after this many renewals. */
  async renewed(count: number): Promise<void> {
    if (this.renewals >= count) return;
    await new Promise<void>((resolve) => {
      this.#awaited = { count, resolve };
    });
  }

  /** Issues tokens without a request. */
  issue(): { access: string; refresh: string } {
    const [access, refresh] = [randomUUID(), randomUUID()];
    this.accessTokens.add(access);
    this.#refreshTokens.add(refresh);
    return { access, refresh };
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    const body = await read(request);
    if (url.pathname === "/.well-known/oauth-authorization-server")
      return json(response, 200, this.#metadata());
    if (url.pathname === "/authorize") return this.#authorize(url.searchParams, response);
    if (url.pathname === "/token") return this.#token(new URLSearchParams(body), response);
    if (url.pathname === "/register") {
      if (this.habits.refusesRegistration) return json(response, 403, { error: "access_denied" });
      const asked = JSON.parse(body) as Record<string, unknown>;
      this.registrations.push(asked);
      return json(response, 201, { ...asked, client_id: `client-${this.registrations.length}` });
    }
    if (url.pathname === "/revoke") {
      this.revoked.push(new URLSearchParams(body).get("token") ?? "");
      return json(response, 200, {});
    }
    return json(response, 404, {});
  }

  #metadata() {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      revocation_endpoint: `${this.origin}/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
      ...(this.habits.hasNoPkce ? {} : { code_challenge_methods_supported: ["S256"] }),
    };
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    const back = new URL(query.get("redirect_uri") ?? "");
    this.#codes.set(code, {
      challenge: query.get("code_challenge") ?? "",
      redirectUri: back.href,
      resource: query.get("resource"),
    });
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    const iss = this.habits.iss === undefined ? this.origin : this.habits.iss;
    if (iss !== null) back.searchParams.set("iss", iss);
    response.writeHead(302, { location: back.href }).end();
  }

  async #token(form: URLSearchParams, response: ServerResponse): Promise<void> {
    this.tokenRequests.push(form);
    if (this.#awaited && this.renewals >= this.#awaited.count) this.#awaited.resolve();
    if (form.get("grant_type") === "refresh_token") await this.habits.holdsRenewals;
    if (this.habits.fails) return json(response, 503, {});
    if (this.habits.isDead || !this.#isGood(form)) return json(response, 400, { error: "invalid_grant" });
    const { access, refresh } = this.issue();
    const { expiresIn = 3_600, rotates = true } = this.habits;
    const old = form.get("refresh_token");
    if (old !== null && rotates) this.#refreshTokens.delete(old);
    json(response, 200, {
      access_token: access,
      token_type: "Bearer",
      ...(old !== null && !rotates ? {} : { refresh_token: refresh }),
      ...(expiresIn === null ? {} : { expires_in: expiresIn }),
    });
  }

  #isGood(form: URLSearchParams): boolean {
    if (form.get("grant_type") === "refresh_token")
      return this.#refreshTokens.has(form.get("refresh_token") ?? "");
    const code = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    return (
      code !== undefined &&
      code.challenge === challenge &&
      code.redirectUri === form.get("redirect_uri") &&
      code.resource === form.get("resource")
    );
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
