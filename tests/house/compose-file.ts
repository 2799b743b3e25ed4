import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly mem_limit?: string;
  readonly deploy?: { readonly replicas: number };
  readonly networks?: { readonly default?: { readonly aliases: readonly string[] } };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The compose file as an engine sees it: anchors merged, variables still in place. */
export function readCompose(): ComposeFile {
  return parse(readText("docker-compose.yml"), { merge: true });
}

export interface Variable {
  readonly name: string;
  /** `:?` refuses to start without it, `:-` falls back, undefined is plain. */
  readonly operator: ":?" | ":-" | undefined;
  readonly operand: string;
}

const VARIABLE = /(?<!\$)\$\{(\w+)(?:(:[?-])([^}]*))?\}/g;

/** Every `${VARIABLE}` of a text, in order. */
export function variablesIn(text: string): Variable[] {
  return [...text.matchAll(VARIABLE)].map(([, name = "", operator, operand = ""]) => ({
    name,
    operator: operator as Variable["operator"],
    operand,
  }));
}

/** Fills a text in as compose does. Throws on a required variable that is missing or empty. */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  const filled = text.replaceAll(VARIABLE, (_, name: string, operator: string, operand: string) => {
    const value = env[name] ?? "";
    if (value === "" && operator === ":?")
      throw new Error(`required variable ${name} is missing: ${operand}`);
    return value === "" && operator === ":-" ? operand : value;
  });
  return filled.replaceAll("$$", "$");
}

/** The lines `NAME=value` and `NAME="value"` of an .env file. */
export function parseEnvFile(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)=(?:"([^"\n]*)"|(.*))$/gm)].map(([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  );
}

/** The services that run our own image. */
export function ourServices({ services }: ComposeFile): [name: string, service: Service][] {
  return Object.entries(services).filter(([, { image }]) => image === "parley");
}

/** What a service's process finds in its environment. */
export function environmentOf(
  service: Service,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(service.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, interpolate(value, env)]));
}
