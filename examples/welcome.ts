/** Part of an application that embeds Lectern: creates the handbook of a new team. */
import type { EmbeddedWorkspace } from "@lectern/core"

/** Creates the space of a team, with a first page. Returns the id of the space. */
export const welcome = async (
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
