/** The conformance of SCIM: each requirement is examined, and the list in the guide states the results. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ruleStores } from "./stores.ts"
import { openScim } from "./support/scim.ts"
import { scimRequirements, seedScim } from "./support/scimRequirements.ts"
import { startWorkspace } from "./support/workspaceServer.ts"

const guide = new URL("../../../docs/guides/provisioning.md", import.meta.url)

describe.each(ruleStores)("SCIM on $name", (store) => {
  it("fulfills the requirements of the list", async () => {
    const server = await startWorkspace(store)
    for (const [index, { title, verify }] of scimRequirements.entries()) {
      // Each on an organization of its own, whose resources no other requirement has changed.
      const client = await openScim(server, `acme${index}`, "acme.example.com")
      await verify(client, await seedScim(client)).catch((cause: unknown) => {
        throw new Error(`Section ${scimRequirements[index]!.section}: ${title}`, { cause })
      })
    }
  })
})

describe("the guide of provisioning", () => {
  it("lists the requirements with their results", () => {
    const rows = scimRequirements.map(
      ({ section, title, isSupported }) => `| ${section} | ${title} | ${isSupported ? "yes" : "no"} |`
    )
    const text = readFileSync(guide, "utf8").replace(/ +\|/g, " |").replace(/\| +/g, "| ")
    const missing = rows.filter((row) => !text.includes(row))
    expect(missing.join("\n")).toBe("")
    const listed = text.match(/^\| (?:7643, )?\d[\d.]* \|.*\| (?:yes|no) \|$/gm) ?? []
    expect(listed.map((row) => row.trim())).toEqual(rows)
  })
})
