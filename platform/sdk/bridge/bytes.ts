import { PlatformError } from "./platform-error.ts";

/** The bytes of a file's content; text becomes UTF-8. Throws `PlatformError` for anything else. */
export async function bytesOf(method: string, body: unknown): Promise<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body).slice().buffer;
  if (body instanceof ArrayBuffer) return body;
  if (body instanceof Blob) return body.arrayBuffer();
  // Copies: a view may show only part of a larger, private buffer.
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice().buffer;
  const message = `${method} needs the file's content: a text, a Blob, an ArrayBuffer or a view of one.`;
  throw new PlatformError({ code: "invalid_arguments", message });
}
