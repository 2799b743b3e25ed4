import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface FakeUser {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** What the issuer gets wrong, as a man in the middle would. */
export interface Faults {
  nonce?: string;
  audience?: string;
  issuer?: string;
  algorithm?: "none";
  signedBy?: "unpublished key";
  expired?: boolean;
}

export const CLIENT_ID = "parley";
export const CLIENT_SECRET = "client:secret";

/**
 * An OpenID Connect identity provider: discovery, the authorization code flow with PKCE (S256), RS256 id
 * tokens, JWKS. Consent is implicit.
 */
export class FakeIssuer {
  readonly url: string;
  user: FakeUser = { sub: "subject-1", email: "ann@example.com", email_verified: true, name: "Ann" };
  faults: Faults = {};
  readonly #grants = new Map<string, Grant>();
  readonly #keys: Awaited<ReturnType<typeof generateKeyPair>>;
  readonly #close: () => Promise<void>;

  private constructor(
    url: string,
    keys: Awaited<ReturnType<typeof generateKeyPair>>,
    close: () => Promise<void>,
  ) {
    this.url = url;
    this.#keys = keys;
    this.#close = close;
  }

  static async start(): Promise<FakeIssuer> {
    const keys = await generateKeyPair("RS256", { extractable: true });
    let issuer: FakeIssuer | undefined;
    const server = createServer((request, response) => {
      issuer?.handle(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    issuer = new FakeIssuer(`http://127.0.0.1:${port}`, keys, async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return issuer;
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** Acts as a browser at the authorization endpoint: returns the redirect with a code. */
  async authorize(authorizeUrl: string): Promise<URL> {
    const response = await fetch(authorizeUrl, { redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null) throw new Error(`authorize answered ${response.status}: ${await response.text()}`);
    return new URL(location);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    if (url.pathname === "/.well-known/openid-configuration") return json(response, 200, this.#discovery());
    if (url.pathname === "/jwks") {
      const jwk = await exportJWK(this.#keys.publicKey);
      return json(response, 200, { keys: [{ ...jwk, kid: "key-1", use: "sig", alg: "RS256" }] });
    }
    if (url.pathname === "/authorize") return this.#authorize(url, response);
    if (url.pathname === "/token" && request.method === "POST") return this.#token(request, response);
    return json(response, 404, {});
  }

  #discovery() {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    };
  }

  #authorize(url: URL, response: ServerResponse): void {
    const query = url.searchParams;
    const isGood =
      query.get("client_id") === CLIENT_ID &&
      query.get("response_type") === "code" &&
      query.get("code_challenge_method") === "S256" &&
      query.get("scope")?.split(" ").includes("openid");
    const [redirectUri, state, nonce, challenge] = ["redirect_uri", "state", "nonce", "code_challenge"].map(
      (name) => query.get(name),
    );
    if (!isGood || !redirectUri || !state || !nonce || !challenge) {
      json(response, 400, { error: "invalid_request" });
      return;
    }
    const code = createHash("sha256").update(state).digest("base64url");
    this.#grants.set(code, { nonce, challenge, redirectUri });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state }).toString();
    response.writeHead(302, { location: back.href }).end();
  }

  async #token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
    if (!isOurClient(request, form)) return json(response, 401, { error: "invalid_client" });
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get("redirect_uri")) {
      return json(response, 400, { error: "invalid_grant" });
    }
    const idToken = await this.#idToken(grant);
    return json(response, 200, {
      access_token: "at",
      token_type: "Bearer",
      expires_in: 60,
      id_token: idToken,
    });
  }

  async #idToken({ nonce }: Grant): Promise<string> {
    const { faults, user } = this;
    const now = Math.floor(Date.now() / 1_000);
    const claims = { ...user, nonce: faults.nonce ?? nonce };
    const exp = faults.expired ? now - 3_600 : now + 300;
    const registered = {
      iss: faults.issuer ?? this.url,
      aud: faults.audience ?? CLIENT_ID,
      iat: now - 3_700,
      exp,
    };
    if (faults.algorithm === "none") {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      return `${part({ alg: "none" })}.${part({ ...claims, ...registered })}.`;
    }
    const { privateKey } = faults.signedBy ? await generateKeyPair("RS256") : this.#keys;
    return new SignJWT({ ...claims, ...registered })
      .setProtectedHeader({ alg: "RS256", kid: "key-1" })
      .sign(privateKey);
  }
}

function isOurClient(request: IncomingMessage, form: URLSearchParams): boolean {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic === undefined) {
    return form.get("client_id") === CLIENT_ID && form.get("client_secret") === CLIENT_SECRET;
  }
  const [id, secret] = Buffer.from(basic, "base64").toString("utf8").split(":").map(decodeURIComponent);
  return id === CLIENT_ID && secret === CLIENT_SECRET;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
