/** The paths that a sign-in returns to. */

const maximumLength = 2_000

/**
 * Returns a path to return to after the sign-in, below the URL of the workspace and without its leading slash; empty for the URL
 * of another website and for anything else.
 */
export const returnPath = (given: string | null | undefined): string =>
  given !== null &&
  given !== undefined &&
  given.length <= maximumLength &&
  /^[\w.~%-][\w.~%/-]*(?:\?[\w.~%/=&+-]*)?$/.test(given) &&
  !given.includes("//") &&
  // `.` and `..`, also encoded, would leave the path of the workspace.
  !given
    .split("?", 1)[0]!
    .split("/")
    .some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
    ? given
    : ""

/** Returns the relative URL of a path below the URL of the workspace, for a page with this number of slashes in its path. */
export const relativeTo = (depth: number, path: string): string => `${"../".repeat(depth)}${path}` || "./"
