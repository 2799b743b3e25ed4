import { generateKeyPairSync } from "node:crypto";
import { errors, importPKCS8, importSPKI, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import type { ActingCredential } from "../contracts/access-changes.ts";
import { AppError } from "../errors.ts";
import { splitPems } from "./pem.ts";

/** A call ticket opens a client's call socket, a leg ticket a phone's, a stream ticket a watcher's. */
const TICKET_KINDS = ["call", "leg", "stream"] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

export interface TicketClaims {
  readonly sessionId: string;
  readonly orgId: string;
  readonly kind: TicketKind;
  /** Whose right to watch it carries; what it opened ends with that right. */
  readonly by?: ActingCredential | undefined;
}

/** Lifetime of a ticket for the first connect (call-socket contract, "Connecting"). */
export const TICKET_TTL_SECS = 60;

const ALGORITHM = "EdDSA";
const ISSUER = "parley-control-api";
const AUDIENCE = "parley-gateway";
const TYPE = "ticket+jwt";

const payloadSchema = z.object({
  sid: z.string().min(1),
  org: z.string().min(1),
  kind: z.enum(TICKET_KINDS),
  /** Absent in tickets of a release that told whole seconds only. */
  at: z.number().optional(),
  iat: z.number(),
  by: z
    .object({ userId: z.string(), keyId: z.string().optional(), signInId: z.string().optional() })
    .optional(),
});

export interface TicketSigner {
  sign(claims: TicketClaims, ttlSecs?: number): Promise<string>;
}

export interface VerifiedTicket {
  readonly claims: TicketClaims;
  readonly expired: boolean;
  /** When it was given, in ms since the epoch. */
  readonly givenMs: number;
}

export interface TicketVerifier {
  /**
   * The claims of a genuine ticket. Reports an expired ticket instead of throwing, because a resume may come after a
   * ticket's lifetime. Throws `AppError` ticket_invalid for anything else.
   */
  verify(ticket: string, ...kinds: TicketKind[]): Promise<VerifiedTicket>;
}

/** Generates an Ed25519 pair in PEM: the control API holds the private key, gateways only the public one. */
export function generateTicketKeys(): { privateKeyPem: string; publicKeyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

export function createTicketSigner(deps: { privateKeyPem: string; clock: Clock }): TicketSigner {
  const key = importPKCS8(deps.privateKeyPem, ALGORITHM);
  return {
    sign: async (claims, ttlSecs = TICKET_TTL_SECS) => {
      const at = deps.clock.wallMs();
      const nowSecs = Math.floor(at / 1000);
      const { sessionId: sid, orgId: org, kind, by } = claims;
      return new SignJWT({ sid, org, kind, at, ...(by && { by: { ...by } }) })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(nowSecs)
        .setExpirationTime(nowSecs + ttlSecs)
        .sign(await key);
    },
  };
}

/** `publicKeyPem` may hold several keys in sequence: during key rotation, a ticket signed with any of them is valid. */
export function createTicketVerifier(deps: { publicKeyPem: string; clock: Clock }): TicketVerifier {
  const keys = Promise.all(splitPems(deps.publicKeyPem).map((pem) => importSPKI(pem, ALGORITHM)));
  return {
    verify: async (ticket, ...kinds) => {
      const { payload, expired } = await verifyWithAny(ticket, await keys, deps.clock);
      const parsed = payloadSchema.safeParse(payload);
      if (!parsed.success || !kinds.includes(parsed.data.kind)) {
        throw new AppError("ticket_invalid", `This is not a ${kinds.join(" or ")} ticket.`);
      }
      const { sid: sessionId, org: orgId, kind, by, iat, at = iat * 1_000 } = parsed.data;
      return { claims: { sessionId, orgId, kind, ...(by && { by }) }, expired, givenMs: at };
    },
  };
}

type PublicKey = Awaited<ReturnType<typeof importSPKI>>;

/** Tries the keys in order; if all of them fail, throws the last one's failure. */
async function verifyWithAny(
  ticket: string,
  keys: readonly PublicKey[],
  clock: Clock,
): Promise<{ payload: unknown; expired: boolean }> {
  let failure: unknown = new AppError("ticket_invalid", "There is no key to verify tickets with.");
  for (const key of keys) {
    try {
      return await verifyJwt(ticket, key, clock);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function verifyJwt(
  ticket: string,
  key: PublicKey,
  clock: Clock,
): Promise<{ payload: unknown; expired: boolean }> {
  try {
    const { payload } = await jwtVerify(ticket, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ["exp"],
      currentDate: new Date(clock.wallMs()),
    });
    return { payload, expired: false };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { payload: error.payload, expired: true };
    throw new AppError("ticket_invalid", "The ticket is not one of this installation.", { cause: error });
  }
}
