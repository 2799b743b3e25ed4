import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The part of S3 that Parley needs: objects that are put, read in parts and deleted, and multipart uploads. */
export class TestBucket {
  readonly objects = new Map<string, Buffer>();
  /** How many next requests get a 503. */
  failures = 0;
  atOnce = 0;
  mostAtOnce = 0;
  readonly #parts = new Map<string, Buffer[]>();
  readonly #server = createServer((req, res) => void this.#handle(req, res));

  static async start(): Promise<TestBucket> {
    const bucket = new TestBucket();
    await new Promise<void>((resolve) => bucket.#server.listen(0, "127.0.0.1", resolve));
    return bucket;
  }

  /** Storage configuration that leads here. */
  get address() {
    const { port } = this.#server.address() as AddressInfo;
    const keys = { accessKeyId: "id", secretAccessKey: "secret" };
    return { bucket: "calls", region: "us-east-1", endpoint: `http://127.0.0.1:${port}`, ...keys };
  }

  close(): void {
    this.#server.close().closeAllConnections();
  }

  readonly #handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    this.atOnce -= 1;
    if (this.failures > 0) {
      this.failures -= 1;
      res.writeHead(503).end();
      return;
    }
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://s3");
    const body = Buffer.concat(chunks);
    const part = searchParams.get("partNumber");
    if (req.method === "GET" || req.method === "HEAD") this.#read(req, res, pathname);
    else if (req.method === "DELETE") {
      this.objects.delete(pathname);
      res.writeHead(204).end();
    } else if (req.method === "POST") res.end(this.#multipart(pathname, searchParams.has("uploads")));
    else {
      if (part === null) this.objects.set(pathname, body);
      else this.#partsOf(pathname)[Number(part) - 1] = body;
      res.writeHead(200, { etag: '"1"' }).end();
    }
  };

  #read(req: IncomingMessage, res: ServerResponse, path: string): void {
    const object = this.objects.get(path);
    if (!object) {
      res.writeHead(404, { "content-type": "application/xml" }).end(xml("Error", "<Code>NoSuchKey</Code>"));
      return;
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? "") ?? [];
    const part = first === undefined ? object : object.subarray(Number(first), Number(last) + 1);
    res.writeHead(first === undefined ? 200 : 206, { "content-length": part.length });
    res.end(req.method === "HEAD" ? undefined : part);
  }

  #multipart(path: string, isBegun: boolean): string {
    if (isBegun) return xml("InitiateMultipartUploadResult", "<UploadId>1</UploadId>");
    this.objects.set(path, Buffer.concat(this.#partsOf(path)));
    return xml("CompleteMultipartUploadResult", "<ETag>1</ETag>");
  }

  #partsOf(path: string): Buffer[] {
    const parts = this.#parts.get(path) ?? [];
    this.#parts.set(path, parts);
    return parts;
  }
}

const xml = (tag: string, content: string): string => `<?xml version="1.0"?><${tag}>${content}</${tag}>`;
