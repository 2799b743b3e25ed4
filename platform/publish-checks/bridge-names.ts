import type { AnyNode, MemberExpression, Pattern, VariableDeclaration } from "acorn";
import { fullAncestor } from "acorn-walk";
import { METHODS } from "../methods/table.ts";

const NAMESPACES: ReadonlySet<string> = new Set(METHODS.map(({ name }) => name.split(".")[0] ?? ""));
const KNOWN: ReadonlySet<string> = new Set(METHODS.map(({ name }) => name));

/** What a name stands for: a part of the bridge such as `files` or `files.put`; null is anything else. */
type Names = Map<string, string | null>;

/** Nodes that scope variables: blocks for `let` and `const`, functions for `var` and parameters. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...["Program", "BlockStatement", "StaticBlock", "SwitchStatement", "CatchClause"],
  ...["ForStatement", "ForInStatement", "ForOfStatement"],
]);
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"],
]);

/**
 * Tracks which names in a script stand for parts of the bridge: `const { files } = usePlatform()`, `const f =
 * platform.files`, `const { put } = platform.files`. Bundlers reuse names, so each is resolved where it is
 * used.
 */
export class BridgeNames {
  readonly #scopes = new Map<AnyNode, Names>();

  constructor(program: AnyNode) {
    fullAncestor(program, (node, _state, ancestors) => this.#declare(node, ancestors));
  }

  /** Resolves `name` within its ancestor nodes; undefined when it is not part of the bridge. */
  partOf(name: string, ancestors: readonly AnyNode[]): string | undefined {
    for (const scope of ancestors.toReversed()) {
      const part = this.#scopes.get(scope)?.get(name);
      if (part !== undefined) return part ?? undefined;
    }
    return undefined;
  }

  #declare(node: AnyNode, ancestors: readonly AnyNode[]): void {
    const around = ancestors.slice(0, -1);
    if (node.type === "VariableDeclaration") this.#declareVariables(node, around);
    if (node.type === "ImportDeclaration")
      for (const { local } of node.specifiers) this.#put(scopeOf(around, BLOCKS), local.name, null);
    if (node.type === "ClassDeclaration" && node.id) this.#put(scopeOf(around, BLOCKS), node.id.name, null);
    if (node.type === "CatchClause" && node.param) this.#bind(node, node.param, undefined);
    if (!isFunction(node)) return;
    if (node.type === "FunctionDeclaration" && node.id)
      this.#put(scopeOf(around, BLOCKS), node.id.name, null);
    for (const param of node.params) this.#bind(node, param, undefined);
  }

  #declareVariables({ kind, declarations }: VariableDeclaration, around: readonly AnyNode[]): void {
    const scope = kind === "var" ? functionOf(around) : scopeOf(around, BLOCKS);
    for (const { id, init } of declarations) this.#bind(scope, id, init ? (partIn(init) ?? "") : undefined);
  }

  /** Binds a pattern to its source `part`: `""` may be the bridge itself, undefined is anything else. */
  #bind(scope: AnyNode | undefined, pattern: Pattern, part: string | undefined): void {
    if (pattern.type === "Identifier") this.#put(scope, pattern.name, part === "" ? null : (part ?? null));
    if (pattern.type === "AssignmentPattern") this.#bind(scope, pattern.left, part);
    if (pattern.type === "RestElement") this.#bind(scope, pattern.argument, undefined);
    if (pattern.type === "ArrayPattern")
      for (const element of pattern.elements) if (element) this.#bind(scope, element, undefined);
    if (pattern.type !== "ObjectPattern") return;
    for (const property of pattern.properties) {
      if (property.type === "RestElement") this.#bind(scope, property.argument, undefined);
      else this.#bind(scope, property.value, within(part, keyOf(property)));
    }
  }

  #put(scope: AnyNode | undefined, name: string, part: string | null): void {
    if (!scope) return;
    const names: Names = this.#scopes.get(scope) ?? new Map();
    this.#scopes.set(scope, names.set(name, part));
  }
}

/** The part of the bridge a node may stand for: any `x.files` counts, as the bridge goes by many names. */
function partIn(node: AnyNode): string | undefined {
  const plain = node.type === "AwaitExpression" ? node.argument : node;
  const member = plain.type === "ChainExpression" ? plain.expression : plain;
  if (member.type !== "MemberExpression") return undefined;
  const name = nameOf(member);
  const of = member.object.type === "MemberExpression" ? nameOf(member.object) : undefined;
  return within(of === undefined || !NAMESPACES.has(of) ? "" : of, name);
}

function within(part: string | undefined, name: string | undefined): string | undefined {
  if (part === undefined || name === undefined) return undefined;
  if (part === "") return NAMESPACES.has(name) ? name : undefined;
  return KNOWN.has(`${part}.${name}`) ? `${part}.${name}` : undefined;
}

function nameOf({ property, computed }: MemberExpression): string | undefined {
  return !computed && property.type === "Identifier" ? property.name : undefined;
}

function keyOf({ key, computed }: { readonly key: AnyNode; readonly computed: boolean }): string | undefined {
  if (computed) return undefined;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

function isFunction(node: AnyNode): node is Extract<AnyNode, { params: Pattern[] }> {
  return FUNCTIONS.has(node.type);
}

function functionOf(around: readonly AnyNode[]): AnyNode | undefined {
  return around.findLast(({ type }) => FUNCTIONS.has(type) || type === "Program");
}

function scopeOf(around: readonly AnyNode[], kinds: ReadonlySet<string>): AnyNode | undefined {
  return around.findLast(({ type }) => kinds.has(type));
}
