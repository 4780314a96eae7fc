/** The names of jobs in the output of commands. */

/** Returns the name of a kind of job in one style, as in `purge-events`. Kinds are stored, so they keep their former spellings. */
export const jobNameOf = (kind: string): string =>
  kind
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase()
