import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

interface LockedPackage {
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}

const ROOT = resolve(import.meta.dirname, "../..");
const locked = Object.entries<LockedPackage>(readJson("package-lock.json").packages);
const paths = new Set(locked.map(([path]) => path));

describe("package-lock.json", () => {
  test("holds every optional package of every platform, so that npm ci works on all of them", () => {
    const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !paths.has(`${path}/node_modules/${name}`) && !paths.has(`node_modules/${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  test("points at no registry but the public one", () => {
    const foreign = locked.filter(
      ([, { resolved }]) => resolved?.includes("://") && !resolved.startsWith("https://registry.npmjs.org/"),
    );
    expect(foreign.map(([path]) => path)).toEqual([]);
  });

  test("has a decision about every package that wants to run an install script", () => {
    const undecided = locked
      .filter(([path, { hasInstallScript }]) => hasInstallScript && path.includes("node_modules/"))
      .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
      .filter((name) => !(name in readJson("package.json").allowScripts));
    expect(undecided).toEqual([]);
  });
});

function readJson(file: string) {
  return JSON.parse(readFileSync(join(ROOT, file), "utf8"));
}
