import { existsSync, readFileSync } from "node:fs";
import { generate } from "otplib";

// From an account to a call and back, by REST alone. Start Parley first (npm start). Then: npx node examples/whole-way.ts
const demoFile = `${process.env.DATA_DIR ?? "data"}/demo.json`;
if (!existsSync(demoFile)) throw new Error(`${demoFile} is not there: start Parley first (npm start).`);
const { baseUrl, orgId, agentId, owner } = JSON.parse(readFileSync(demoFile, "utf8"));

interface Send {
  method?: string;
  token?: string;
  key?: string;
  body?: object;
}

async function send(path: string, { method = "POST", token, key, body }: Send = {}) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}`, "x-org-id": orgId } : {}),
      ...(key ? { "x-api-key": key } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await response.json();
  console.log(`${method} ${path.replace(orgId, "{orgId}")} → ${response.status} ${answer.code ?? ""}`);
  return { status: response.status, ...answer };
}

// The demo's owner invites Ann, whose mail lies in the outbox of this machine.
const email = `ann-${Date.now()}@example.com`;
const password = "a password of her own";
const asOwner = (await send("/api/auth/login", { body: owner })).data.tokens.accessToken;
await send(`/api/orgs/${orgId}/invitations`, { token: asOwner, body: { email, role: "admin" } });
const outbox = await send("/dev/outbox.json", { method: "GET" });
const invitation = outbox.messages.find((message: { to: string }) => message.to === email);
const invitationToken = /#token=(\S+)/.exec(invitation.text)?.[1];

// She registers, and turns a second factor on.
const lookup = await send("/api/auth/lookup", { body: { identifier: email } });
const registered = await send("/api/auth/register", {
  body: { email: lookup.data.identifier, password, name: "Ann", invitationToken },
});
let token = registered.data.tokens.accessToken;
const { secret } = (await send("/api/auth/mfa/setup", { token })).data;
await send("/api/auth/mfa/verify", { token, body: { code: await generate({ secret }) } });

// From now on a password alone is not enough.
await send("/api/auth/login", { body: { email, password } });
// Each code is good once. She would wait for the next one; it is taken 30 s early, for clocks that are off.
const totpCode = await generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 });
token = (await send("/api/auth/login", { body: { email, password, totpCode } })).data.tokens.accessToken;

// A key for her server; with it the server mints a token for one call of one browser.
const keys = `/api/orgs/${orgId}/api-keys`;
const { key, secret: apiKey } = (
  await send(keys, { token, body: { name: "Ann's server", role: "developer" } })
).data;
const mint = { agentId, variables: { name: "Ada" }, firstResponse: "Hello {name}!" };
const clientToken = (await send("/api/client-tokens", { key: apiKey, body: mint })).data.token;
const call = await send("/api/sessions/init-web-call", { token: clientToken });
console.log(`agent: ${await greeting(call.data.websocketUrl)}`);
await send("/api/sessions/init-web-call", { token: clientToken });

// Revoked, the key is worth nothing at once; nor is a token after logging out.
await send(`${keys}/${key.id}`, { method: "DELETE", token });
const refused = await send("/api/v1/me", { method: "GET", key: apiKey });
await send("/api/auth/logout", { token });
const signedOut = await send("/api/auth/me", { method: "GET", token });
if (refused.status !== 401 || signedOut.status !== 401) process.exitCode = 1;

/** Talks to the agent until it has said hello. */
function greeting(websocketUrl: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(websocketUrl);
    socket.onopen = () => socket.send(JSON.stringify({ type: "start" }));
    socket.onerror = () => reject(new Error("the call could not be placed"));
    socket.onmessage = ({ data }) => {
      const event = typeof data === "string" ? JSON.parse(data) : {};
      if (event.type === "mark") socket.send(data);
      if (event.type !== "transcript" || !event.final) return;
      socket.send(JSON.stringify({ type: "hangup" }));
      resolve(event.text);
    };
  });
}
