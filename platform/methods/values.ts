import { z } from "zod";

/** A Parley id. */
export const idSchema = z.string().min(1).max(64);

/** Any JSON value. */
export const jsonSchema = z.json();

/** A phone number as people write it; the server parses it. */
export const phoneSchema = z.string().trim().min(3).max(32);

export const timestampSchema = z.iso.datetime();

/** Text values by name, for filters and variables. */
export const stringMapSchema = z.record(z.string().min(1).max(64), z.string().max(1_024));
