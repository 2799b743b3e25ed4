import { systemClock } from "@parley/shared/clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FakeVendor, Fault } from "../../../testkit/fakes/connectors/fake-vendor.ts";
import type { Database } from "../../database/open.ts";
import { CAPABILITIES, type CapabilityId } from "../capabilities/all.ts";
import { checkInput } from "../connections/input.ts";
import { type Account, type Connector, type ConnectorContext, capabilitiesOf } from "../connector.ts";
import { VendorCircuits } from "../vendor/circuits.ts";
import { MintedTokens } from "../vendor/minted-tokens.ts";
import { openContext } from "../vendor/open-context.ts";
import { VendorError, type VendorProblem } from "../vendor/vendor.ts";

type Values = Readonly<Record<string, string>>;

/** A capability's call against the fake, and its expected result. */
export interface CapabilityCase {
  readonly capability: CapabilityId;
  readonly args: Record<string, unknown>;
  readonly result: unknown;
}

/** The vendor's own error responses. */
export interface VendorFaults {
  readonly missingScope: Fault;
  readonly rateLimited: Fault;
  /** Errors sent with status 200, by name. */
  readonly hidden?: Readonly<Record<string, { readonly fault: Fault; readonly is: VendorProblem }>>;
}

export interface ConnectorContract {
  readonly connector: Connector;
  readonly start: () => Promise<FakeVendor>;
  readonly settings: Values;
  /** The forms of credentials the fake takes, by name; `consent`: the `accessToken` after a consent. */
  readonly forms: Readonly<Record<string, Values>>;
  /** Shaped like the first form, but belongs to no account. */
  readonly badCredentials: Values;
  /** The account's name after verification. */
  readonly account: string | undefined;
  /** Facts that verification records for later actions. */
  readonly facts?: Values;
  readonly cases: readonly CapabilityCase[];
  /** A read or write of something that does not exist. */
  readonly missing?: { readonly capability: CapabilityId; readonly args: Record<string, unknown> };
  readonly faults: VendorFaults;
}

const SILENCE_MS = 400;
const HTML: Fault = { status: 200, text: "<!doctype html><html><body>Sign in</body></html>" };
const DOWN: Fault = { status: 503, json: { message: "down" } };

/** Tests a connector against the fake of its vendor's documented API. */
export function connectorContract(contract: ConnectorContract): void {
  const { connector, settings, forms, cases, faults } = contract;
  const [credentials = {}] = Object.values(forms);
  const network = testNetwork();
  let fake: FakeVendor;
  beforeAll(async () => {
    fake = await contract.start();
  });
  afterAll(async () => {
    fake.close();
    await network.egress.close();
  });
  beforeEach(() => {
    fake.fault = undefined;
    fake.calls.length = 0;
    network.forget();
  });

  const contextOf = (given: Values, deadlineMs = 5_000) => {
    const isConsent = connector.authKind === "oauth2" || given === forms.consent;
    const credentials = isConsent ? {} : given;
    const checked = checkInput(connector, { credentials, settings }, { mayConsent: isConsent });
    const account = { ...checked, facts: contract.facts ?? {} };
    return network.open(connector, fake.url, account, { deadlineMs, accessToken: given.accessToken });
  };
  const run = (capability: CapabilityId, args: unknown, context = contextOf(credentials)) => {
    const action = connector.actions[capability] as (
      args: unknown,
      context: ConnectorContext,
    ) => Promise<unknown>;
    return action(CAPABILITIES[capability].arguments.parse(args), context);
  };
  const first = cases[0] ?? ({} as CapabilityCase);
  const problem = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => (error instanceof VendorError ? error.problem : error),
    );

  describe(`${connector.name}, verified`, () => {
    it.each(Object.keys(forms))(
      "accepts the credentials of the form %s and names the account",
      async (form) => {
        const { account, facts } = await connector.verify(contextOf(forms[form] ?? {}));
        expect(account).toBe(contract.account);
        if (contract.facts) expect(facts).toEqual(contract.facts);
      },
    );

    it("refuses credentials that are nobody's, and does not quote them", async () => {
      const error = await connector
        .verify(contextOf(contract.badCredentials))
        .catch((refusal: unknown) => refusal);
      expect(error).toMatchObject({ name: "VendorError", problem: "unauthorized" });
      for (const value of Object.values(contract.badCredentials)) {
        expect((error as Error).message).not.toContain(value);
      }
    });

    it("says that a web page came instead of data", async () => {
      fake.fault = HTML;
      await expect(connector.verify(contextOf(credentials))).rejects.toMatchObject({
        problem: "failed",
        message: expect.stringContaining("web page"),
      });
    });
  });

  describe(`${connector.name}, acting`, () => {
    it("has a case for each of its capabilities", () => {
      expect([...new Set(cases.map(({ capability }) => capability))].sort()).toEqual(
        capabilitiesOf(connector).sort(),
      );
    });

    it.each(cases)("serves $capability in its one shape: $args", async ({ capability, args, result }) => {
      const given = CAPABILITIES[capability].result.parse(await run(capability, args));
      expect(given).toEqual(result);
    });

    it("says what the credentials do not allow", async () => {
      fake.fault = faults.missingScope;
      expect(await problem(run(first.capability, first.args))).toBe("denied");
    });

    it.each(contract.missing ? [contract.missing] : [])(
      "says what does not exist: $args",
      async (missing) => {
        const { capability, args } = missing;
        expect(await problem(run(capability, args))).toBe("not_found");
      },
    );

    it("says how long the vendor wants a pause, and leaves it alone for so long", async () => {
      fake.fault = faults.rateLimited;
      const refused = run(first.capability, first.args);
      await expect(refused).rejects.toMatchObject({
        problem: "rate_limited",
        retryAfterSecs: expect.any(Number),
      });
      const asked = fake.calls.length;
      fake.fault = undefined;
      expect(await problem(run(first.capability, first.args))).toBe("rate_limited");
      expect(fake.calls).toHaveLength(asked);
    });

    it("says that the vendor is down, and sends nothing twice", async () => {
      fake.fault = DOWN;
      for (const { capability, args } of cases) {
        fake.calls.length = 0;
        network.forget();
        expect(await problem(run(capability, args))).toBe("failed");
        const paths = fake.calls.map(({ method, path }) => `${method} ${path}`);
        expect(paths).toEqual([...new Set(paths)]);
      }
    });

    it("says that the vendor took too long", async () => {
      fake.fault = "silence";
      expect(await problem(run(first.capability, first.args, contextOf(credentials, SILENCE_MS)))).toBe(
        "timed_out",
      );
    });

    it("says that a web page came instead of data", async () => {
      fake.fault = HTML;
      expect(await problem(run(first.capability, first.args))).toBe("failed");
    });

    it.each(Object.keys(faults.hidden ?? {}))("finds what hides in a 200: %s", async (name) => {
      const { fault, is } = faults.hidden?.[name] ?? { fault: HTML, is: "failed" };
      fake.fault = fault;
      expect(await problem(run(first.capability, first.args))).toBe(is);
    });
  });
}

/** The real egress path, open to this machine unless told otherwise; tests can reset its circuits. */
export function testNetwork(allowPrivateTargets: readonly string[] = ["127.0.0.0/8"]) {
  const clock = systemClock;
  const metrics = createMetrics();
  const names = new NameLookups({ resolve: createSystemResolver({ clock }), clock });
  const egress = new Egress({ allowPrivateTargets, names, clock, metrics });
  let kept = { circuits: new VendorCircuits(clock), minted: new MintedTokens(clock) };
  return {
    egress,
    forget: () => {
      kept = { circuits: new VendorCircuits(clock), minted: new MintedTokens(clock) };
    },
    open: (
      connector: Connector,
      url: string,
      account: Account,
      {
        deadlineMs,
        signal = new AbortController().signal,
        accessToken = "",
      }: { deadlineMs: number; signal?: AbortSignal; accessToken?: string | undefined },
    ): ConnectorContext =>
      openContext(
        connector,
        account,
        {
          orgId: "org_1",
          connectionId: "con_1",
          signal,
          deadlineMs,
          idempotencyKey: "key-1",
        },
        {
          network: {
            dispatchers: egress.to("integration"),
            sockets: egress.socketsTo("integration"),
            circuits: kept.circuits,
            clock,
            metrics,
            vendorUrls: { [connector.id]: url },
          },
          minted: kept.minted,
          consentTokens: (_connection, { name }) => ({
            token: async () => accessToken,
            renewed: async () => {
              throw new VendorError("unauthorized", `${name} took the access back.`);
            },
          }),
          clock,
          // Built-in connectors have tests of their own.
          database: {} as Database,
        },
      ),
  };
}
