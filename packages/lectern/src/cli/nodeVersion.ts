/** Verifies the version of Node. It also runs on versions that cannot load the command. */

/** Returns the numbers of a version, as in `>=22.19` or `20.20.2`. */
const parseVersion = (version: string): ReadonlyArray<number> =>
  version
    .replace(/^[^\d]*/, "")
    .split(".")
    .map(Number)

/** Returns the reason why a version of Node is too old, or `undefined`. `required` is a range such as `>=22.19`. */
export const describeOldNode = (actual: string, required: string): string | undefined => {
  const [major = 0, minor = 0] = parseVersion(actual)
  const [requiredMajor = 0, requiredMinor = 0] = parseVersion(required)
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined
  return `lectern requires Node ${requiredMajor}.${requiredMinor} or newer, and this is Node ${actual}. Install a newer version from https://nodejs.org, or run the command with \`npx -p node@24 lectern\`.`
}
