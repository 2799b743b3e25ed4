import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const ASKED = {
  type: "object" as const,
  properties: { name: { type: "string" as const } },
  required: ["name"],
};

/** Calls received by a shop's tools, with callbacks. */
export interface SeenByShop {
  /** Canceled orders. */
  readonly canceled: string[];
  /** Called when `order.wait` starts. */
  begun: () => void;
  /** Called when no one waits for `order.wait` anymore. */
  ended: () => void;
}

/** A shop's tool server: finds and cancels orders; `order.wait` never answers, and `order.ask` requests a form. */
export function remoteShop(seen: SeenByShop): McpServer {
  const server = new McpServer({ name: "shop", version: "1" });
  const number = z.object({ number: z.string() });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  const reads = { annotations: { readOnlyHint: true } };
  server.registerTool(
    "order.find",
    { description: "Finds an order.", inputSchema: number, ...reads },
    async ({ number: of }) =>
      of === "13" ? { ...text("The shop is closed."), isError: true } : text(`Order ${of} is on its way.`),
  );
  server.registerTool("order.cancel", { inputSchema: number }, async ({ number: of }) => {
    seen.canceled.push(of);
    return text(`Order ${of} is canceled.`);
  });
  server.registerTool("order.wait", reads, async ({ mcpReq }) => {
    seen.begun();
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve()));
    seen.ended();
    return text("");
  });
  server.registerTool("order.ask", reads, async () =>
    inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: "Who?", requestedSchema: ASKED }) },
    }),
  );
  return server;
}
