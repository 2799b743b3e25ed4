import { parseArgs } from "node:util";
import { z } from "zod";

export const USAGE = `npm run loadtest -- [options]

  --calls N              calls held at once (default 50); with --ramp the highest number to try (default 2000)
  --seconds S            how long they are measured once all are up (default 20)
  --fleet N              N gateways and two control APIs of its own behind Caddy with the product's Caddyfile, the calls
                         spread by their load; one gateway is killed, one added, one control API killed, while calls run
                         (default 20 calls, at most 200, and --seconds in each of the four parts; needs Linux,
                         redis-server, Postgres and Caddy)
  --ramp                 find the highest number of calls that still holds the targets

Where the calls go; without any of these a stack of its own is started (needs redis-server):
  --demo                 to a running "npm start": its address and key are read from DATA_DIR/demo.json
  --url U --api-key K --agent A    to any running Parley, through its control API

The own stack:
  --brain-first-token-ms N   how long the brain thinks (default 200)
  --brain-token-ms N         pause between its words (default 20)
  --brain-words N            words of an answer (default 32)
  --gateway-cpu N            CPU the gateway is pinned to (default 0 of two or more)

What comes out:
  --json                 one JSON document on standard output, progress on standard error
  --html FILE            a page with the distributions drawn
  --help`;

const MAX_FLEET_CALLS = 200;

const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const schema = z.object({
  calls: count(1, 100_000).optional(),
  seconds: count(1, 86_400).default(20),
  fleet: count(2, 16).optional(),
  ramp: z.boolean().default(false),
  demo: z.boolean().default(false),
  url: z.url({ protocol: /^https?$/ }).optional(),
  "api-key": z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  "brain-first-token-ms": count(0, 60_000).default(200),
  "brain-token-ms": count(0, 10_000).default(20),
  "brain-words": count(1, 1_000).default(32),
  "gateway-cpu": count(0, 1_023).optional(),
  json: z.boolean().default(false),
  html: z.string().min(1).optional(),
  help: z.boolean().default(false),
});
export type LoadOptions = z.output<typeof schema>;

/** Parses the command line, or returns a sentence that names the wrong option and what it expects. */
export function readOptions(args: readonly string[]): { options: LoadOptions } | { problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      options: {
        ...text("calls", "seconds", "url", "api-key", "agent", "html", "gateway-cpu", "fleet"),
        ...text("brain-first-token-ms", "brain-token-ms", "brain-words"),
        ...flag("ramp", "demo", "json", "help"),
      },
    });
    const parsed = schema.safeParse(values);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return { problem: `--${issue?.path.join(".")}: ${issue?.message}` };
    }
    const { url, agent, "api-key": apiKey } = parsed.data;
    const given = [url, agent, apiKey].filter((value) => value !== undefined).length;
    if (given !== 0 && given !== 3) return { problem: "--url, --api-key and --agent go together" };
    const { fleet, calls = 0, ramp, demo } = parsed.data;
    if (fleet !== undefined && (ramp || demo || given > 0))
      return { problem: "--fleet starts its own: leave out --ramp, --demo and --url" };
    if (fleet !== undefined && calls > MAX_FLEET_CALLS)
      return { problem: `--calls: at most ${MAX_FLEET_CALLS} with --fleet, which shares one machine` };
    return { options: parsed.data };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function text<N extends string>(...names: N[]) {
  return Object.fromEntries(names.map((name) => [name, { type: "string" }])) as Record<N, { type: "string" }>;
}

function flag<N extends string>(...names: N[]) {
  return Object.fromEntries(names.map((name) => [name, { type: "boolean" }])) as Record<
    N,
    { type: "boolean" }
  >;
}
