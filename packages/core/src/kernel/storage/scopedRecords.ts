/**
 * Reaches protected tables. Only `access/`, which makes grants, imports this module: `npm run check` refuses every other
 * import.
 */

/** The method of `Records` that returns records of all tables, limited to a scope; undefined is no limit. */
export const scopedRecords: unique symbol = Symbol("@lectern/core/storage/scopedRecords")
