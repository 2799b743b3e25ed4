/** Prefix of every key, stream, and channel of an installation, unless `REDIS_PREFIX` sets another. */
export const STANDARD_PREFIX = "parley:";
