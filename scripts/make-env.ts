/**
 * Writes the `.env` that docker-compose.yml reads: `.env.example` with every secret generated. Leaves an
 * existing file alone, because its secrets may be in use.
 *
 * Usage: node scripts/make-env.ts [file]
 */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateTicketKeys } from "@parley/shared/security/tickets.ts";

const ROOT = resolve(import.meta.dirname, "..");
const file = resolve(process.argv[2] ?? join(ROOT, ".env"));

const ticketKeys = generateTicketKeys();
const secrets = {
  POSTGRES_PASSWORD: password(),
  REDIS_PASSWORD: password(),
  GRAFANA_PASSWORD: password(),
  TICKET_PRIVATE_KEY: oneLine(ticketKeys.privateKeyPem),
  TICKET_PUBLIC_KEY: oneLine(ticketKeys.publicKeyPem),
  SECRETS_KEY: `k1:${randomBytes(32).toString("base64")}`,
  PLAN_KEY: `k1:${randomBytes(32).toString("base64")}`,
};

const example = readFileSync(join(ROOT, ".env.example"), "utf8");
const filled = Object.entries(secrets).reduce(
  (text, [name, value]) => text.replace(new RegExp(`^${name}=$`, "m"), `${name}="${value}"`),
  example,
);

// "wx" fails when the file exists; 0600 restricts it to its owner.
writeFileSync(file, filled, { flag: "wx", mode: 0o600 });
console.log(`Wrote ${file}. Keep it: the secrets in it are made once.`);

function password(): string {
  return randomBytes(24).toString("base64url");
}

/** A PEM may have spaces for line breaks; an .env value may not contain line breaks. */
function oneLine(pem: string): string {
  return pem.trim().replaceAll("\n", " ");
}
