/**
 * Copies the documentation into `packages/http/dist/help`, which the package contains and servers display at `/help`. A published page
 * has the line breaks of its source. These are for editors of the repository, so the lines of paragraphs are joined.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { joinLines } from "../packages/formats/src/sources/dialects/joinLines.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = join(root, "packages/http/dist/help")

rmSync(target, { recursive: true, force: true })
cpSync(join(root, "docs"), target, { recursive: true })
for (const path of globSync("**/*.md", { cwd: target })) {
  const file = join(target, path)
  writeFileSync(file, joinLines(readFileSync(file, "utf8")))
}
