export type FileBody = ArrayBuffer | ArrayBufferView | Blob | string;

/** The bytes of what an app stores as a file; text is UTF-8. */
export async function bytesOf(body: FileBody): Promise<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body).slice().buffer;
  if (body instanceof ArrayBuffer) return body;
  if (body instanceof Blob) return body.arrayBuffer();
  // A view may show a part of a larger buffer, which is nobody's business.
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice().buffer as ArrayBuffer;
}
