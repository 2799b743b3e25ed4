export type FileBody = ArrayBuffer | ArrayBufferView | Blob | string;

/** The bytes of a file's content; text becomes UTF-8. */
export async function bytesOf(body: FileBody): Promise<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body).slice().buffer;
  if (body instanceof ArrayBuffer) return body;
  if (body instanceof Blob) return body.arrayBuffer();
  // Copies: a view may show only part of a larger, private buffer.
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice().buffer as ArrayBuffer;
}
