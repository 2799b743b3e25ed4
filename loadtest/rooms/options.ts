import { parseArgs } from "node:util";
import { z } from "zod";
import { CASES, type RoomCase } from "./cases.ts";

export const USAGE = `npm run rooms -- [options]

  --room NAME        only the rows of a group: ${[...new Set(CASES.map(({ group }) => group))].join(", ")}
  --level DB         only the rows with a room or an echo at this level, as in --level -15
  --case ID,…        only these rows
  --calls N          calls held side by side (default 8)
  --turns N          questions a call, instead of the row's own
  --keep             write the results and the page, though only some rows were run
  --trace            tell what happened in each call
  --list             name the rows and end
  --help`;

const schema = z.object({
  room: z.string().optional(),
  level: z.coerce.number().optional(),
  case: z.string().optional(),
  calls: z.coerce.number().int().min(1).max(200).default(8),
  turns: z.coerce.number().int().min(1).max(100).optional(),
  keep: z.boolean().default(false),
  trace: z.boolean().default(false),
  list: z.boolean().default(false),
  help: z.boolean().default(false),
});

export interface RoomOptions extends z.output<typeof schema> {
  readonly cases: readonly RoomCase[];
}

/** Parses the command line into options and chosen rows, or a sentence that says what is wrong. */
export function readOptions(args: readonly string[]): RoomOptions | { problem: string } {
  try {
    const text = { type: "string" } as const;
    const flag = { type: "boolean" } as const;
    const options = {
      room: text,
      case: text,
      level: text,
      calls: text,
      turns: text,
      keep: flag,
      trace: flag,
      list: flag,
      help: flag,
    };
    const { values } = parseArgs({ args: joinedLevel(args), strict: true, options });
    const parsed = schema.safeParse(values);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return { problem: `--${issue?.path.join(".")}: ${issue?.message}` };
    }
    const cases = CASES.filter((row) => isChosen(row, parsed.data)).map((row) => ({
      ...row,
      turns: parsed.data.turns ?? row.turns,
    }));
    return cases.length === 0
      ? { problem: "no row is like that; --list names them" }
      : { ...parsed.data, cases };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function isChosen(row: RoomCase, chosen: z.output<typeof schema>): boolean {
  if (chosen.room !== undefined && row.group !== chosen.room) return false;
  if (chosen.case !== undefined && !chosen.case.split(",").includes(row.id)) return false;
  return chosen.level === undefined || (row.echo?.db ?? row.roomDb) === chosen.level;
}

/** `--level -15` otherwise parses as two options. */
function joinedLevel(args: readonly string[]): string[] {
  const at = args.indexOf("--level");
  if (at === -1) return [...args];
  return [...args.slice(0, at), `--level=${args[at + 1] ?? ""}`, ...args.slice(at + 2)];
}
