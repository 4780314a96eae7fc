/** A piece of an application that embeds Lectern: what a new team finds when it comes. */
import type { EmbeddedWorkspace } from "@lectern/core"

/** Makes the space of a team, with a first page; answers its id. */
export const welcome = async (
  workspace: EmbeddedWorkspace,
  user: string,
  organization: string,
  team: string
): Promise<string> => {
  const { spaces, content } = workspace.as(user)
  const space = await spaces.create(organization, { title: `The handbook of ${team}` })
  try {
    await content.edit(
      { space: space.id },
      { changes: [{ operation: "insert_page", document: { markdown: `# Welcome\n\nHello, ${team}.` } }] }
    )
  } catch (error) {
    await spaces.remove(space.id)
    throw error
  }
  return space.id
}
