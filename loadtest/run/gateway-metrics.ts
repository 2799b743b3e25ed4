/** One scrape of a gateway, summed over labels. */
export type Scrape = ReadonlyMap<string, number>;

/** Reads a gateway's `/metrics`. */
export async function scrape(httpUrl: string): Promise<Scrape> {
  const response = await fetch(`${httpUrl}/metrics`);
  if (!response.ok) throw new Error(`${httpUrl}/metrics answers ${response.status}`);
  return parseMetrics(await response.text());
}

/** Parses Prometheus text samples by name, summed over labels. */
function parseMetrics(text: string): Scrape {
  const sums = new Map<string, number>();
  for (const line of text.split("\n")) {
    const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{.*\})? (\S+)/.exec(line);
    if (!match) continue;
    const [, name = "", value = ""] = match;
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums;
}

/** The gateway's own loss counters. */
const LOSSES = {
  "messages dropped": "parley_socket_messages_dropped_total",
  "watcher frames dropped": "parley_watcher_frames_dropped_total",
  "call events lost": "parley_call_events_lost_total",
  "recordings failed": "parley_recordings_failed_total",
  "speech errors": "parley_speech_errors_total",
  "brain errors": "parley_brain_errors_total",
} as const;

/** Growth of the gateway's loss counters between two scrapes; unchanged ones are left out. */
export function lossesBetween(before: Scrape, after: Scrape): Record<string, number> {
  const grown = Object.entries(LOSSES).map(([what, name]) => {
    return [what, (after.get(name) ?? 0) - (before.get(name) ?? 0)] as const;
  });
  return Object.fromEntries(grown.filter(([, growth]) => growth > 0));
}
