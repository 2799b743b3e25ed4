import { S3Client } from "@aws-sdk/client-s3";

const MAX_ATTEMPTS = 5;

/** The location of the bucket and the credentials for it. */
export interface S3Address {
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
}

/** Creates a client for the bucket; the SDK retries by itself. */
export function createClient({ region, endpoint, accessKeyId, secretAccessKey }: S3Address): S3Client {
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } };
  // Stores other than AWS rarely have a host name per bucket.
  const address = endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
  return new S3Client({ region, maxAttempts: MAX_ATTEMPTS, ...address, ...credentials });
}
