import type { ServerResponse } from "node:http";

export const GIGABYTE = 2 ** 30;

/** Writes directly to the connection, bypassing Node's formatting. */
export const raw = (text: string) => (response: ServerResponse) => void response.socket?.write(text);

/** Repeatedly writes `text` to the connection. */
export function drip(response: ServerResponse, text: string): void {
  const timer = setInterval(() => response.socket?.write(text), 50);
  response.on("close", () => clearInterval(timer));
}

/** Answers with a gigabyte, as fast as it is read; `onBytes` receives the number of bytes written. */
export function pour(
  response: ServerResponse,
  status: number,
  onBytes: (bytes: number) => void = () => undefined,
): void {
  response.writeHead(status, { "content-length": GIGABYTE });
  const chunk = Buffer.alloc(65_536, "x");
  let left = GIGABYTE;
  const more = (): void => {
    let isWanted = true;
    while (isWanted && left > 0 && !response.destroyed) {
      left -= chunk.length;
      onBytes(chunk.length);
      isWanted = response.write(chunk);
    }
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}
