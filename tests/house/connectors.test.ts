import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONNECTORS } from "@parley/control-api/integrations/connectors/index.ts";
import { describe, expect, test } from "vitest";
import { connectorFolders, connectorIndex, connectorPage } from "../../scripts/update-connectors.ts";
import { ROOT } from "../../testkit/product.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const FOLDERS = "control-api/integrations/connectors";

describe("the connectors", () => {
  test("are listed as they are, in the index and in docs/connectors.md (scripts/update-connectors.ts)", async () => {
    expect(read(`${FOLDERS}/index.ts`)).toBe(connectorIndex());
    const page = read("docs/connectors.md");
    expect(page).toBe(await connectorPage(page));
  });

  test.each(connectorFolders())("%s has its parts, and is what its folder is called", (folder) => {
    expect(CONNECTORS.map(({ id }) => id)).toContain(folder);
    for (const part of ["definition.ts", "verify.ts", "actions.ts"]) {
      expect(existsSync(join(ROOT, FOLDERS, folder, part)), part).toBe(true);
    }
  });

  test.each(CONNECTORS.filter(({ authKind }) => authKind !== "builtin").map(({ id }) => id))(
    "%s is held against a fake of its vendor",
    (id) => {
      expect(existsSync(join(ROOT, `testkit/fakes/connectors/${id}.ts`))).toBe(true);
      expect(existsSync(join(ROOT, FOLDERS, id, `${id}.test.ts`))).toBe(true);
    },
  );

  test.each(CONNECTORS.map((connector) => [connector.id, connector] as const))(
    "%s says of each field what it is and where to find it",
    (_id, { credentials, settings }) => {
      const fields = [...credentials, ...settings];
      expect(new Set(fields.map(({ key }) => key)).size).toBe(fields.length);
      for (const { label, help } of fields)
        expect([label, help].every((words) => words.length > 2)).toBe(true);
    },
  );
});
