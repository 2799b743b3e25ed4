import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Creates a self-signed certificate and key for `host` with openssl. */
export async function selfSigned(host: string): Promise<{ key: string; cert: string }> {
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "-"];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const { stdout } = await promisify(execFile)("openssl", [
    "req",
    "-x509",
    ...newKey,
    ...subject,
    "-out",
    "-",
  ]);
  const [key = "", cert = ""] = stdout.match(/-----BEGIN [\s\S]*?-----END [A-Z ]+-----\n/g) ?? [];
  return { key, cert };
}
