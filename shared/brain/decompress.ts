import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { BrainError } from "./brain-error.ts";

/** Decompresses a body from a server that compresses although asked not to; tokens still arrive one by one. */
export function decompressed(body: Readable, encoding: string): Readable {
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding.trim().toLowerCase()) {
    case "":
    case "identity":
      return body;
    case "gzip":
    case "x-gzip":
      return through(body, createGunzip(flush));
    case "deflate":
      return through(body, createInflate(flush));
    case "br":
      return through(body, createBrotliDecompress());
    default:
      body.destroy();
      throw new BrainError(
        "content_type",
        `The brain's answer is encoded as ${encoding}; send it unencoded.`,
      );
  }
}

function through<T extends Readable & NodeJS.WritableStream>(body: Readable, decoder: T): T {
  pipeline(body, decoder, () => undefined);
  return decoder;
}
