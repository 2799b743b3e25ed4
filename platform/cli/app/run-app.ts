import type { Stream } from "../output.ts";
import type { AppCommand } from "./app-command.ts";

/** Runs an app command. Only commands that build load Vite. Throws `CliError`, `ApiError`. */
export async function runAppCommand(
  command: Exclude<AppCommand, { kind: "app-publish" }>,
  terminal: { readonly out: Stream; readonly err: Stream; readonly signal: AbortSignal },
): Promise<void> {
  const { dir } = command;
  switch (command.kind) {
    case "app-create": {
      const { id } = await (await import("./create.ts")).createApp(dir);
      terminal.out.write(`The app ${id} is in ${dir}. Next: npx parley app dev ${dir}\n`);
      return;
    }
    case "app-validate":
      await (await import("./publish-app.ts")).validateApp(dir, terminal.out);
      return;
    case "app-dev":
      await (await import("./dev-app.ts")).devApp(command, terminal);
  }
}
