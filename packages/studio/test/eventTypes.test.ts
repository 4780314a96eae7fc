/** The events that a webhook can receive in the application are all that the reference names. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { eventKinds } from "../src/screens/administration/eventTypes.ts"

const reference = readFileSync(fileURLToPath(new URL("../../../docs/events.md", import.meta.url)), "utf8")

it("offers every type of event of an organization", () => {
  const documented = reference
    .split("\n")
    .filter((line) => line.startsWith("Types: "))
    .flatMap((line) => Array.from(line.matchAll(/`(\w+\.\w+)`/g), ([, type]) => type!))
    // Only the host receives the events of user accounts.
    .filter((type) => !type.startsWith("user."))
  const offered = Object.entries(eventKinds).flatMap(([resource, kinds]) =>
    kinds.map((kind) => `${resource}.${kind}`)
  )
  expect(documented.length).toBeGreaterThan(100)
  expect(offered).toEqual(documented)
})
