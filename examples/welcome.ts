/** A function of an application that embeds Lectern, which `welcome.test.ts` tests. */
import type { EmbeddedWorkspace } from "@lectern/core"

/** Creates a handbook for a team: a space with one page. Returns the id of the space, which is removed if the page fails. */
export const createHandbook = async (
  workspace: EmbeddedWorkspace,
  user: string,
  organization: string,
  team: string
): Promise<string> => {
  const { spaces, content } = workspace.as(user)
  const space = await spaces.create({ organization, input: { title: `The handbook of ${team}` } })
  try {
    await content.edit({
      content: { space: space.id },
      input: {
        changes: [{ operation: "insert_page", document: { markdown: `# Welcome\n\nHello, ${team}.` } }]
      }
    })
  } catch (error) {
    await spaces.remove({ space: space.id })
    throw error
  }
  return space.id
}
