/** The names of the operations in the audit log. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it, vi } from "vitest"

vi.stubGlobal("navigator", { languages: ["en"], platform: "" })
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined })

const { auditContentStrings } = await import("../src/screens/administration/auditContentStrings.ts")
const { auditPeopleStrings } = await import("../src/screens/administration/auditPeopleStrings.ts")

const policy = fileURLToPath(new URL("../../core/test/policy", import.meta.url))

/** The commands of all services. Each leaves a record. */
const commands = readdirSync(policy).flatMap((file) =>
  Array.from(
    readFileSync(`${policy}/${file}`, "utf8").matchAll(/^(\w+\.\w+) {2}command\(/gm),
    ([, name]) => name!
  )
)

it("describes every command", () => {
  const named = new Set([...Object.keys(auditContentStrings.en), ...Object.keys(auditPeopleStrings.en)])
  expect(commands.length).toBeGreaterThan(100)
  expect(commands.filter((name) => !named.has(`operation-${name}`))).toEqual([])
})

it("describes no operation that does not exist", () => {
  const existing = new Set(
    readdirSync(policy).flatMap((file) =>
      Array.from(
        readFileSync(`${policy}/${file}`, "utf8").matchAll(/^(\w+\.\w+) {2}(?:command|query)\(/gm),
        ([, name]) => `operation-${name}`
      )
    )
  )
  const named = [...Object.keys(auditContentStrings.en), ...Object.keys(auditPeopleStrings.en)]
  expect(named.filter((name) => !existing.has(name))).toEqual([])
})
