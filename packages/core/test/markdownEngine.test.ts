/** The Markdown engine is independent of imports: a host without them keeps the threads that parse expensive pages. */
import { createWorkspace, type MarkdownConversion, NotReadable } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect } from "effect"
import { expect, it } from "vitest"

/** A list whose parsing costs about 25 ms. */
const expensive = `${"- a\n".repeat(500)}- last\n`

/** Opens a workspace without an import reader, with a page of expensive Markdown. */
const openPage = async (options: Omit<Parameters<typeof createWorkspace>[0], "storage">) => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer(), ...options })
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const services = workspace.as(user)
  const { id: space } = await services.spaces.create({ organization, input: {} })
  const { changes } = await services.content.edit({
    content: { space },
    input: { changes: [{ operation: "insert_page", title: "Long", document: { markdown: expensive } }] }
  })
  const [inserted] = changes
  if (inserted?.object !== "created_page") throw new Error("The page was not inserted.")
  const page = inserted.page.id
  const read = () => services.content.getPage({ content: { space }, page, input: { format: "document" } })
  return { workspace, read }
}

it("a workspace without an import reader converts expensive pages by its Markdown engine only", async () => {
  const conversions: Array<MarkdownConversion> = []
  const { workspace, read } = await openPage({
    markdownEngine: (conversion) => {
      conversions.push(conversion)
      return Effect.fail(new NotReadable({ message: "takes too long" }))
    }
  })
  try {
    expect(conversions).toEqual(["outline"])
    const page = await read()
    expect(conversions).toEqual(["outline", "document"])
    // The page is presented as it is written, because the engine has not parsed it.
    expect("document" in page && page.document?.nodes.map(({ type }) => type)).toEqual(["code"])
  } finally {
    await workspace.dispose()
  }
})

it("a workspace without converters parses the same page on the event loop", async () => {
  const { workspace, read } = await openPage({})
  try {
    const page = await read()
    expect("document" in page && page.document?.nodes.map(({ type }) => type)).toEqual(["list-unordered"])
  } finally {
    await workspace.dispose()
  }
})
