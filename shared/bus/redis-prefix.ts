/** In front of every key, stream and channel of an installation, unless `REDIS_PREFIX` says something else. */
export const STANDARD_PREFIX = "parley:";
