/**
 * How much of a drill is run: the short form with every `npm test`, the full one by `npm run drills`. The
 * body of a drill is the same.
 */
const isFull = process.env.PARLEY_DRILLS === "full";

const SIZES = {
  redisKilled: { short: { calls: 10, awayMs: 1_000 }, full: { calls: 50, awayMs: 15_000 } },
  clusterFailover: { short: { calls: 4 }, full: { calls: 40 } },
  redisPaused: { short: { calls: 10, awayMs: 3_000 }, full: { calls: 50, awayMs: 20_000 } },
  /** `tooLongMs`: after which a node counts as lost; 0: not in this run. */
  gatewayCutOff: {
    short: { calls: 3, cutMs: 6_000, tooLongMs: 0 },
    full: { calls: 20, cutMs: 9_000, tooLongMs: 30_000 },
  },
  gatewayKilled: { short: { calls: 8 }, full: { calls: 50 } },
  gatewayKilledWithoutRedis: { short: { calls: 4 }, full: { calls: 30 } },
  recorderKilled: { short: { calls: 6 }, full: { calls: 50 } },
  clockStepped: { short: { calls: 4, steadyMs: 4_000 }, full: { calls: 30, steadyMs: 30_000 } },
  brainFaults: {
    short: { patienceMs: 1_000, answerBytes: 150_000_000 },
    full: { patienceMs: 8_000, answerBytes: 1_000_000_000 },
  },
  voiceDies: { short: { calls: 4 }, full: { calls: 20 } },
  hostileClients: {
    short: { sockets: 1_000, deaf: 3, attackMs: 5_000 },
    full: { sockets: 5_000, deaf: 20, attackMs: 60_000 },
  },
  hostileTenant: {
    short: { calls: 4, sessions: 100, deafMs: 3_000 },
    full: { calls: 30, sessions: 10_000, deafMs: 20_000 },
  },
  diskFull: { short: { calls: 3 }, full: { calls: 20 } },
  spillDiskFull: { short: { calls: 4 }, full: { calls: 20 } },
  redisRefusesWrites: { short: { calls: 6, awayMs: 10_000 }, full: { calls: 30, awayMs: 30_000 } },
  postgresRestart: { short: { calls: 6, awayMs: 1_000 }, full: { calls: 50, awayMs: 30_000 } },
  /** `heapMib`, `rssMib`: by how much the floor may rise. A short run sees no full garbage collection. */
  soak: {
    short: { secs: 20, warmUpSecs: 5, callers: 8, heapMib: 48, rssMib: 96, keepsResult: false },
    full: {
      secs: 1_200,
      warmUpSecs: 180,
      callers: 20,
      heapMib: 8,
      rssMib: 48,
      keepsResult: true,
    },
  },
  webhooksKilled: { short: { events: 500, kills: 4 }, full: { events: 10_000, kills: 30 } },
  twoRecorders: { short: { calls: 300, kills: 1 }, full: { calls: 2_000, kills: 12 } },
  /** In a round one number each that is busy, hangs up, and is not in service. */
  campaignKilled: { short: { rounds: 20, kills: 2 }, full: { rounds: 667, kills: 20 } },
  /** Messages are `contacts` × `each`. */
  messagesKilled: {
    short: { contacts: 6, each: 5, kills: 1 },
    full: { contacts: 200, each: 25, kills: 20 },
  },
  meteringKilled: { short: { calls: 500, kills: 6 }, full: { calls: 5_000, kills: 30 } },
  appCallsKilled: { short: { frames: 6, kills: 2 }, full: { frames: 12, kills: 12 } },
  gatewayTerminated: { short: { calls: 8 }, full: { calls: 50 } },
};

/** The size of a drill in this run. */
export function sizeOf<K extends keyof typeof SIZES>(drill: K): (typeof SIZES)[K]["short"] {
  return isFull ? SIZES[drill].full : SIZES[drill].short;
}

/** How long a drill may take, on a machine that is busy with others. */
export const DRILL = { timeout: isFull ? 480_000 : 240_000 };
