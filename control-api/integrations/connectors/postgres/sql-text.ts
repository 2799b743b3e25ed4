/** A token of SQL, as far as the checks need to tell tokens apart. */
interface Token {
  readonly kind: "word" | "quoted" | "text" | "comment" | "parameter" | "other";
  readonly text: string;
}

const PIECES: readonly (readonly [Token["kind"], RegExp])[] = [
  ["comment", /--[^\n]*/y],
  ["text", /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ["text", /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'/y],
  ["text", /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?\$\1\$/y],
  ["quoted", /(?:[uU]&)?"(?:[^"]|"")*"/y],
  ["other", /::/y],
  ["parameter", /:[A-Za-z_]\w*/y],
  ["word", /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ["other", /\d[\w.]*/y],
  ["other", /\s+|[\s\S]/y],
];

/** A statement that passed the checks. */
export interface SqlText {
  /** With `$1`, `$2` instead of `:names`, and no semicolon at the end. */
  readonly text: string;
  /** The names, in the order of their numbers. */
  readonly parameters: readonly string[];
}

/** Functions that do more than read: they reach out, stop other sessions, or execute text as SQL. */
const DENIED =
  /^(dblink.*|lo_.*|loread|lowrite|nextval|setval|set_config|pg_(terminate|cancel)_backend|pg_notify|pg_reload_conf|pg_rotate_logfile.*|pg_(try_)?advisory_.*|pg_(read|ls|file|create|drop|logical|replication|backup|wal|stat_reset|switch|start|stop|import|sleep|clear).*|pg_stat_file|pg_promote|pg_export_snapshot|(query|cursor|table|schema|database)_to_xml.*|ts_stat)$/;

/**
 * Parses one statement. Throws an `Error` whose message says what to change. The server enforces each of these rules
 * itself; checking here tells builders early (docs/decisions/integrations.md#postgres-read-only).
 */
export function readSql(sql: string): SqlText {
  const tokens = trimmed(tokensOf(sql));
  const [first] = tokens.filter(isCode);
  if (first === undefined || !/^(select|with)$/i.test(first.text))
    throw new Error("must begin with SELECT or WITH");
  if (tokens.some(({ kind, text }) => kind === "other" && text === ";"))
    throw new Error("must be one statement, without ; in it");
  if (tokens.some(({ kind, text }) => kind === "other" && text === "$"))
    throw new Error("must write parameters as :name");
  refuseDenied(tokens.filter(isCode));
  const parameters = [
    ...new Set(tokens.filter(({ kind }) => kind === "parameter").map(({ text }) => text.slice(1))),
  ];
  const text = tokens
    .map((token) =>
      token.kind === "parameter" ? `$${parameters.indexOf(token.text.slice(1)) + 1}` : token.text,
    )
    .join("");
  return { text, parameters };
}

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const token = blockComment(sql, at) ?? pieceAt(sql, at);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

/** Block comments nest. */
function blockComment(sql: string, start: number): Token | undefined {
  if (!sql.startsWith("/*", start)) return undefined;
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const two = sql.slice(at, at + 2);
    if (two === "/*" || two === "*/") {
      depth += two === "/*" ? 1 : -1;
      at++;
      if (depth === 0) return { kind: "comment", text: sql.slice(start, at + 1) };
    }
  }
  throw new Error("has a comment without an end");
}

function pieceAt(sql: string, at: number): Token {
  for (const [kind, piece] of PIECES) {
    piece.lastIndex = at;
    const [text] = piece.exec(sql) ?? [];
    if (text) return { kind, text };
  }
  return { kind: "other", text: sql.charAt(at) };
}

function trimmed(tokens: readonly Token[]): Token[] {
  const end = tokens.findLastIndex((token) => isCode(token) && token.text !== ";");
  return tokens.slice(0, end + 1);
}

function isCode({ kind, text }: Token): boolean {
  return kind !== "comment" && text.trim() !== "";
}

function refuseDenied(code: readonly Token[]): void {
  for (const [index, { kind, text }] of code.entries()) {
    if (/^[uU]&/.test(text)) throw new Error("must write names and texts without U&");
    const name = kind === "quoted" ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase();
    const isCall = (kind === "word" || kind === "quoted") && code[index + 1]?.text === "(";
    if (isCall && DENIED.test(name)) throw new Error(`must not call ${name}`);
  }
}
