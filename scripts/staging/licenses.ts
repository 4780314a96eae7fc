/** Lists the bundled packages with their versions and licenses. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const licenseOf = (folder: string): string => {
  const file = readdirSync(folder).find((name) => /^(?:license|licence)/i.test(name))
  return file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`
}

/** Returns the text of `BUNDLED.md`: the packages whose code is in the modules of a package. */
export const describeBundled = (name: string, folders: Iterable<string>): string => {
  const sections = [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        readonly name: string
        readonly version: string
        readonly license?: string
      }
      return `## ${name} ${version}\n\nLicense: ${license ?? "see below"}\n${licenseOf(folder)}`
    })
    .toSorted()
  return `# Packages that ${name} contains\n\n${sections.join("\n")}`
}
