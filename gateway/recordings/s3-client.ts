import { S3Client } from "@aws-sdk/client-s3";

const MAX_ATTEMPTS = 5;

/** Where the bucket is, and who asks. */
export interface S3Address {
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
}

/** A client of the bucket; the SDK tries again by itself. */
export function createClient({ region, endpoint, accessKeyId, secretAccessKey }: S3Address): S3Client {
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } };
  // Stores other than AWS rarely have a host name for each bucket.
  const address = endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
  return new S3Client({ region, maxAttempts: MAX_ATTEMPTS, ...address, ...credentials });
}
