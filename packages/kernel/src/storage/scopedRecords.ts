/**
 * The key of the method that reaches protected tables. Only `@lectern/access`, which issues grants, imports this module:
 * `npm run check:imports` fails for every other import.
 */

/** The method of `Records` that returns records of all tables, limited to a scope; without limit if it is undefined. */
export const scopedRecords: unique symbol = Symbol("@lectern/core/storage/scopedRecords")
