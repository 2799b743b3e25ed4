/**
 * Who may import whom: the arrows between the folders, checked by `npm run boundaries`.
 * `tests/house/boundaries.test.ts` plants a violation of each rule and sees it refused.
 */

/** What each room may import of ours, besides itself. A new room is one line here. */
const ARROWS = {
  shared: [],
  media: ["shared"],
  gateway: ["shared", "media"],
  "control-api": ["shared", "media", "platform"],
  dashboard: ["shared", "platform"],
  platform: [],
  loadtest: ["shared", "media", "control-api"],
};

/** The control API's districts: what each may import of the others. A new one is one line here. */
const DISTRICTS = {
  database: [],
  sealed: ["database"],
  jobs: ["database"],
  subscriptions: ["database", "jobs"],
  modules: ["database", "jobs", "subscriptions"],
  http: ["database", "modules", "jobs"],
  identity: ["database", "sealed", "modules", "jobs", "http"],
  tools: ["database", "modules"],
  agents: ["database", "sealed", "modules", "jobs", "http", "identity", "tools"],
  records: ["database", "modules", "jobs", "subscriptions", "http", "identity", "agents"],
  channels: [
    "database",
    "sealed",
    "modules",
    "jobs",
    "subscriptions",
    "http",
    "identity",
    "tools",
    "agents",
    "records",
  ],
  messaging: [
    "database",
    "sealed",
    "modules",
    "jobs",
    "http",
    "identity",
    "agents",
    "records",
    "channels",
    "webhooks",
  ],
  campaigns: [
    "database",
    "modules",
    "jobs",
    "subscriptions",
    "http",
    "identity",
    "agents",
    "records",
    "channels",
    "messaging",
    "billing",
  ],
  webhooks: [
    "database",
    "sealed",
    "modules",
    "jobs",
    "subscriptions",
    "http",
    "identity",
    "agents",
    "records",
  ],
  integrations: ["database", "sealed", "modules", "jobs", "http", "identity", "tools", "agents"],
  knowledge: ["database", "modules", "jobs", "http", "identity", "tools", "agents"],
  analysis: [
    "database",
    "sealed",
    "modules",
    "jobs",
    "subscriptions",
    "http",
    "identity",
    "agents",
    "records",
    "webhooks",
  ],
  apps: [
    "database",
    "sealed",
    "modules",
    "jobs",
    "http",
    "identity",
    "tools",
    "agents",
    "records",
    "channels",
    "campaigns",
    "integrations",
    "knowledge",
    "messaging",
  ],
  billing: [
    "database",
    "modules",
    "jobs",
    "subscriptions",
    "http",
    "identity",
    "agents",
    "records",
    "channels",
    "webhooks",
  ],
  "app-frames": ["database", "modules", "http", "apps"],
  demo: ["database", "modules", "http", "identity", "agents", "channels"],
  notices: ["database", "modules", "http"],
};

/** The rooms of the gateway: what each may import of the others. A new one is one line here. */
const GATEWAY_ROOMS = {
  files: [],
  uws: [],
  turn: [],
  nodes: [],
  events: ["files"],
  recordings: ["files"],
  pipeline: ["turn"],
  call: ["events", "nodes", "recordings"],
  "agent-call": ["call", "events", "nodes", "pipeline", "recordings", "turn"],
  "manual-call": ["call", "events", "nodes", "recordings"],
  watch: ["call", "uws"],
  transports: ["call", "uws"],
  admission: ["call", "transports", "uws"],
  recovery: ["events", "files", "recordings"],
};

const TEST_FILES = "\\.test\\.tsx?$|\\.contract\\.ts$|^tests/";
const TESTKIT = "^testkit/";
const TESTS = `${TEST_FILES}|${TESTKIT}`;

const arrowRules = Object.entries(ARROWS).map(([room, friends]) => {
  const strangers = Object.keys(ARROWS).filter((other) => other !== room && !friends.includes(other));
  return {
    name: `${room}-arrow`,
    comment: `${room}/ may import ${["itself", ...friends].join(", ")} and packages, no other room.`,
    severity: "error",
    from: { path: `^${room}/` },
    to: { path: `^(${strangers.join("|")})/` },
  };
});

const inDistricts = (names) => `^control-api/(${names.join("|")})/`;
const districtRules = Object.entries(DISTRICTS).map(([district, friends]) => {
  const strangers = Object.keys(DISTRICTS).filter((other) => other !== district && !friends.includes(other));
  return {
    name: `${district}-district`,
    comment: `control-api/${district}/ may import ${["itself", ...friends].join(", ")}, and no other district.`,
    severity: "error",
    from: { path: inDistricts([district]), pathNot: TESTS },
    to: { path: inDistricts(strangers) },
  };
});

const inGatewayRooms = (names) => `^gateway/(${names.join("|")})/`;

const gatewayRules = Object.entries(GATEWAY_ROOMS).map(([room, friends]) => {
  const strangers = Object.keys(GATEWAY_ROOMS).filter((other) => other !== room && !friends.includes(other));
  return {
    name: `gateway-${room}`,
    comment: `gateway/${room}/ may import ${["itself", ...friends].join(", ")}, and no other room of the gateway.`,
    severity: "error",
    from: { path: inGatewayRooms([room]), pathNot: TESTS },
    to: { path: inGatewayRooms(strangers) },
  };
});

module.exports = {
  forbidden: [
    ...arrowRules,
    ...districtRules,
    ...gatewayRules,
    {
      name: "gateway-rooms",
      comment:
        "A folder of the gateway is a room with its arrows in GATEWAY_ROOMS; gateway/tests/ holds tests only.",
      severity: "error",
      from: { path: "^gateway/[^/]+/", pathNot: `${inGatewayRooms(Object.keys(GATEWAY_ROOMS))}|${TESTS}` },
      to: { path: "^gateway/[^/]+/" },
    },
    {
      name: "gateway-wiring",
      comment: "What puts the gateway's rooms together lies beside them; they do not know it.",
      severity: "error",
      from: { path: "^gateway/[^/]+/", pathNot: TESTS },
      to: { path: "^gateway/[^/]+$" },
    },
    {
      name: "control-api-districts",
      comment: "A folder of the control API is a district with its arrows in DISTRICTS.",
      severity: "error",
      from: { path: "^control-api/[^/]+/", pathNot: `${inDistricts(Object.keys(DISTRICTS))}|${TESTS}` },
      to: { path: "^control-api/[^/]+/" },
    },
    {
      name: "control-api-wiring",
      comment: "What puts the districts together lies beside them; they do not know it.",
      severity: "error",
      from: { path: "^control-api/[^/]+/", pathNot: TESTS },
      to: { path: "^control-api/[^/]+$" },
    },
    {
      name: "loadtest-knows-the-database",
      comment: "Of the control API, loadtest/ may import the database, to fill it and to read its plans.",
      severity: "error",
      from: { path: "^loadtest/" },
      to: { path: "^control-api/(?!database/)" },
    },
    {
      name: "rooms-below-the-roof",
      comment: "Rooms do not know the scripts and examples that start them.",
      severity: "error",
      from: { path: `^(${Object.keys(ARROWS).join("|")})/`, pathNot: TESTS },
      to: { path: "^(scripts|examples)/" },
    },
    {
      name: "dashboard-knows-contracts-only",
      comment: "What a browser runs may import shared/contracts, nothing else of shared/.",
      severity: "error",
      from: { path: "^dashboard/", pathNot: TESTS },
      to: { path: "^shared/(?!contracts/)" },
    },
    {
      name: "control-api-hears-no-audio",
      comment:
        "The control API may use media's speech adapters, what is heard behind speech, files of sound and waveforms, not the live audio path.",
      severity: "error",
      from: { path: "^control-api/", pathNot: TESTS },
      to: { path: "^media/(?!stt/|tts/|background/|wav/|opus-file/|mp4-file/|waveforms?/|[a-z-]+\\.ts$)" },
    },
    {
      name: "one-owner-of-uws",
      comment:
        "Only gateway/uws touches uWebSockets.js; everything else sees its small ports. The bench's echo is the bare thing.",
      severity: "error",
      from: { pathNot: "^gateway/uws/|^loadtest/bench/" },
      to: { path: "node_modules/(uWebSockets\\.js|uws-pack)/" },
    },
    {
      name: "one-owner-of-redis",
      comment: "Redis is behind the bus port. The bench's peer is what one writes without it.",
      severity: "error",
      from: { pathNot: `^shared/bus/|^loadtest/bench/|${TESTS}` },
      to: { path: "node_modules/ioredis/" },
    },
    {
      name: "one-owner-of-postgres",
      comment:
        "Drivers are opened in control-api/database; everybody else gets a Kysely. Customers' databases are a connector's.",
      severity: "error",
      from: { pathNot: `^control-api/(database|integrations/connectors/postgres)/|${TESTS}` },
      to: { path: "node_modules/(pg|@electric-sql/pglite)/" },
    },
    {
      name: "one-egress",
      comment:
        "Customers' addresses are reached through shared/net/egress.ts, which has the limits of each purpose.",
      severity: "error",
      from: { pathNot: `^shared/net/|${TESTS}` },
      to: { path: "^shared/net/guarded-(dispatchers?|sockets)\\.ts$" },
    },
    {
      name: "no-test-code-in-production",
      comment: "Code that ships, and testkit/, imports no test, no contract suite, nothing of tests/.",
      severity: "error",
      from: { pathNot: TEST_FILES },
      to: { path: TEST_FILES },
    },
    {
      name: "no-testkit-in-production",
      comment:
        "Helpers of tests and vendors' fakes serve tests, and what scripts/ start for development; never a room's own code.",
      severity: "error",
      from: { path: `^(${Object.keys(ARROWS).join("|")}|examples)/`, pathNot: TESTS },
      to: { path: TESTKIT },
    },
    {
      name: "no-cycle",
      comment: "Two files that import each other, even for types, are one file or want a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "An import that leads nowhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API in JavaScript; swc reads the sources instead.
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(data|coverage|[a-z-]+/dist)/" },
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
