import {
  type AnyNode,
  type CallExpression,
  type Expression,
  type MemberExpression,
  type NewExpression,
  type ObjectExpression,
  parse,
  type Super,
} from "acorn";
import { ancestor } from "acorn-walk";
import { SECRET_REFERENCE } from "../methods/http.ts";
import { findMethod } from "../methods/table.ts";
import { BridgeNames } from "./bridge-names.ts";
import { type Place, type Problem, type ProblemCode, problem } from "./problem.ts";

/** A bridge call found in a script: `….data.list(…)`. */
export interface UsedMethod {
  readonly name: string;
  /** The first argument if it is text, such as the type in `data.list("note")`. */
  readonly firstText: string | undefined;
  /** The text of `url` when the first argument is an object. */
  readonly url: string | undefined;
  /** The text of `connection` when the first argument is an object. */
  readonly connection: string | undefined;
  /** The keys of the second argument when it is an object. */
  readonly secondKeys: readonly string[];
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A reference to a secret among the settings: `{{secret:key}}`. */
export interface UsedSecret {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ScannedScript {
  readonly uses: readonly UsedMethod[];
  /** The secrets the script refers to, each at its first place. */
  readonly secrets: readonly UsedSecret[];
  readonly problems: readonly Problem[];
}

type Node = Expression | Super;

/** What a frame blocks or refuses, by the name of what is called or constructed. */
const BLOCKED_CALLS: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  eval: ["EVAL_USED", "eval is refused inside a frame; write what it runs as code."],
  Function: ["EVAL_USED", "Making functions of text is refused inside a frame; write them as code."],
  importScripts: [
    "REMOTE_SCRIPT",
    "Scripts from elsewhere are refused inside a frame; put them into the bundle.",
  ],
  WebSocket: ["NETWORK_BLOCKED", "A frame has no network; use stream.subscribe or data.subscribe."],
  EventSource: ["NETWORK_BLOCKED", "A frame has no network; use stream.subscribe or data.subscribe."],
  XMLHttpRequest: ["NETWORK_BLOCKED", "A frame has no network; use http.fetch of the bridge."],
  RTCPeerConnection: ["NETWORK_BLOCKED", "A frame has no network, and RTCPeerConnection is taken out of it."],
  fetch: ["NETWORK_BLOCKED", "A frame has no network; use http.fetch of the bridge, and declare the host."],
};

const POPUP = "A window that an app opens can carry data out of it; say in the description why it does.";

/** Analyzes a script of a bundle without running it. */
export function scanScript(file: string, source: string): ScannedScript {
  const program = parseScript(source);
  if (program instanceof Error) return unreadable(file, program.message, placeOfError(program));
  try {
    return scanProgram(file, { program, source });
  } catch (error) {
    // Walking nests as deep as the script does.
    if (error instanceof RangeError) return unreadable(file, "it nests too deep");
    throw error;
  }
}

function unreadable(file: string, why: string, place: Place = {}): ScannedScript {
  const message = `${file} is no script that can be read: ${why}`;
  return { uses: [], secrets: [], problems: [problem("SCRIPT_UNREADABLE", message, { file, ...place })] };
}

/** Where the parser stopped; other errors have no place. */
function placeOfError(error: Error): Place {
  const loc: unknown = Reflect.get(error, "loc");
  if (typeof loc !== "object" || loc === null) return {};
  const { line, column } = loc as { readonly line: number; readonly column: number };
  return { line, column: column + 1 };
}

function scanProgram(
  file: string,
  { program, source }: { readonly program: AnyNode; readonly source: string },
): ScannedScript {
  const uses: UsedMethod[] = [];
  const problems: Problem[] = [];
  const placeOf = (node: { loc?: AnyNode["loc"] }) => ({
    file,
    line: node.loc?.start.line ?? 1,
    column: (node.loc?.start.column ?? 0) + 1,
  });
  const add = (code: ProblemCode, message: string, node: AnyNode): void => {
    problems.push(problem(code, message, placeOf(node)));
  };
  const names = new BridgeNames(program);
  ancestor(program, {
    CallExpression: (node, _state, ancestors) => {
      const name = bridgeCall(node.callee) ?? namedCall(node.callee, (text) => names.partOf(text, ancestors));
      if (name) uses.push({ name, ...argumentsOf(node), ...placeOf(node) });
      blocked(node, (code, message) => add(code, message, node));
    },
    NewExpression: (node) => blocked(node, (code, message) => add(code, message, node)),
    ImportExpression: (node) => {
      const from = textOf(node.source);
      if (from !== undefined && isRemote(from))
        add("REMOTE_SCRIPT", `${from} is refused inside a frame; put it into the bundle.`, node);
    },
    ImportDeclaration: (node) => {
      if (isRemote(String(node.source.value)))
        add("REMOTE_SCRIPT", `${node.source.value} is refused inside a frame; put it into the bundle.`, node);
    },
  });
  return { uses, secrets: secretsIn(file, source), problems };
}

function secretsIn(file: string, source: string): UsedSecret[] {
  const first = new Map<string, UsedSecret>();
  for (const { 1: name = "", index } of source.matchAll(SECRET_REFERENCE)) {
    if (first.has(name)) continue;
    const before = source.slice(0, index);
    const place = { line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
    first.set(name, { name, file, ...place });
  }
  return [...first.values()];
}

function parseScript(source: string): AnyNode | Error {
  let failure: unknown;
  for (const sourceType of ["module", "script"] as const) {
    try {
      return parse(source, { ecmaVersion: "latest", sourceType, locations: true, allowHashBang: true });
    } catch (error) {
      failure ??= error;
    }
  }
  return failure instanceof Error ? failure : new Error(String(failure));
}

/** Returns `data.list` for `x.y.data.list`; undefined for anything else. */
function bridgeCall(callee: Node): string | undefined {
  if (callee.type !== "MemberExpression" && callee.type !== "ChainExpression") return undefined;
  const member = callee.type === "ChainExpression" ? callee.expression : callee;
  if (member.type !== "MemberExpression") return undefined;
  const method = propertyOf(member);
  const namespace = member.object.type === "MemberExpression" ? propertyOf(member.object) : undefined;
  return namespace !== undefined && method !== undefined ? `${namespace}.${method}` : undefined;
}

/** Returns `data.list` for `data.list(…)` and `list(…)` when these names stand for parts of the bridge. */
function namedCall(callee: Node, partOf: (name: string) => string | undefined): string | undefined {
  const member = callee.type === "ChainExpression" ? callee.expression : callee;
  if (member.type === "Identifier") return asMethod(partOf(member.name));
  if (member.type !== "MemberExpression" || member.object.type !== "Identifier") return undefined;
  return asMethod(`${partOf(member.object.name) ?? ""}.${propertyOf(member) ?? ""}`);
}

function asMethod(name: string | undefined): string | undefined {
  return name !== undefined && findMethod(name) ? name : undefined;
}

function propertyOf({ property, computed }: MemberExpression): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return textOf(property as Expression);
}

function argumentsOf({
  arguments: [first, second],
}: CallExpression): Omit<UsedMethod, "name" | "file" | "line" | "column"> {
  const fields = first?.type === "ObjectExpression" ? fieldsOf(first) : new Map<string, AnyNode>();
  const [url, connection] = [fields.get("url"), fields.get("connection")];
  return {
    firstText: first && first.type !== "ObjectExpression" ? textOf(first) : undefined,
    url: url && textOf(url),
    connection: connection?.type === "Literal" ? textOf(connection) : undefined,
    secondKeys: second?.type === "ObjectExpression" ? [...fieldsOf(second).keys()] : [],
  };
}

/** The fields that are written out in an object, by name. */
function fieldsOf({ properties }: ObjectExpression): Map<string, AnyNode> {
  const fields = new Map<string, AnyNode>();
  for (const property of properties) {
    if (property.type !== "Property" || property.computed) continue;
    const name = property.key.type === "Identifier" ? property.key.name : textOf(property.key);
    if (name !== undefined) fields.set(name, property.value);
  }
  return fields;
}

/** The leading literal part of a text. */
function textOf(node: AnyNode): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "TemplateLiteral") return node.quasis[0]?.value.cooked ?? undefined;
  if (node.type === "BinaryExpression" && node.operator === "+") return textOf(node.left);
  return undefined;
}

function blocked(
  { callee, arguments: given }: CallExpression | NewExpression,
  add: (code: ProblemCode, message: string) => void,
): void {
  const name = calledName(callee);
  const [first] = given;
  if (name !== undefined && Object.hasOwn(BLOCKED_CALLS, name)) {
    const [code, message] = BLOCKED_CALLS[name] ?? [];
    if (code && message) add(code, message);
  }
  if ((name === "setTimeout" || name === "setInterval") && first && textOf(first) !== undefined)
    add("EVAL_USED", `${name} with code as a text is refused inside a frame; give it a function.`);
  // A plain `open` may be a function of the app; with an address of the web it is the window's.
  const isPlain = callee.type === "Identifier";
  if (name === "open" && (!isPlain || (first && isRemote(textOf(first) ?? "")))) add("POPUP_USED", POPUP);
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return;
  if (`${callee.object.name}.${propertyOf(callee) ?? ""}` === "navigator.sendBeacon")
    add("NETWORK_BLOCKED", "A frame has no network; use http.fetch of the bridge.");
}

/** Returns `eval` for `eval`, `window.eval` and `(0, eval)`; ignores other objects' methods of that name. */
function calledName(callee: Node): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "SequenceExpression") {
    const last = callee.expressions.at(-1);
    return last && calledName(last);
  }
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return undefined;
  return ["window", "globalThis", "self"].includes(callee.object.name) ? propertyOf(callee) : undefined;
}

function isRemote(address: string): boolean {
  return /^(https?:)?\/\//i.test(address);
}
