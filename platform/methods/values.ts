import { z } from "zod";

/** An id of ours. */
export const idSchema = z.string().min(1).max(64);

/** Anything JSON can say. */
export const jsonSchema = z.json();

/** A phone number as people write it; the server reads it. */
export const phoneSchema = z.string().trim().min(3).max(32);

export const timestampSchema = z.iso.datetime();

/** Text by name, as filters and variables are. */
export const stringMapSchema = z.record(z.string().min(1).max(64), z.string().max(1_024));
