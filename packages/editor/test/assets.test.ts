/** The parts of the editor that are generated from other files are up to date. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

it("the style of blocks is that of the reader, and the icons are from Font Awesome", () => {
  const script = fileURLToPath(new URL("../../../scripts/generate-editor-assets.ts", import.meta.url))
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow()
})
