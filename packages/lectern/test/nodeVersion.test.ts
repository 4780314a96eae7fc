/** The command reports a version of Node that is too old, instead of a missing module. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import fc from "fast-check"
import { expect, it } from "vitest"
import { describeOldNode } from "../src/cli/nodeVersion.ts"

const version = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 }), fc.nat({ max: 40 }))

it("accepts exactly the versions from the required one on", () => {
  fc.assert(
    fc.property(version, version, ([major, minor, patch], [requiredMajor, requiredMinor]) => {
      const isOld = major < requiredMajor || (major === requiredMajor && minor < requiredMinor)
      const message = describeOldNode(`${major}.${minor}.${patch}`, `>=${requiredMajor}.${requiredMinor}`)
      expect(message === undefined).toBe(!isOld)
      if (isOld) {
        expect(message).toContain(`requires Node ${requiredMajor}.${requiredMinor} or newer`)
        expect(message).toContain(`this is Node ${major}.${minor}.${patch}.`)
      }
    })
  )
})

it("exits with 1 and one line under Node 20", async () => {
  const override = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`
  const failed = await promisify(execFile)(process.execPath, [
    "--import",
    `data:text/javascript,${encodeURIComponent(override)}`,
    "--conditions=@lectern/source",
    fileURLToPath(new URL("../../lectern/src/cli/main.ts", import.meta.url)),
    "serve"
  ]).then(
    () => undefined,
    (error: { readonly code: number; readonly stderr: string }) => error
  )
  expect(failed?.code).toBe(1)
  expect(failed?.stderr).toMatch(/^lectern requires Node 22\.19 or newer, and this is Node 20\.20\.2\..*\n$/)
})
