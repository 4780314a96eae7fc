/** Copies the documentation into `packages/http/dist/help`, which the package contains and servers display at `/help`. */
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = join(root, "packages/http/dist/help")

rmSync(target, { recursive: true, force: true })
cpSync(join(root, "docs"), target, { recursive: true })
