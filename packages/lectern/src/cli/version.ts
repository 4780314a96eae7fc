/** The version of Lectern. */
import packageFile from "../../package.json" with { type: "json" }

/** The version of all packages of Lectern. */
export const version: string = packageFile.version
