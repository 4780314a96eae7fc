/** Calls a Lectern server with the typed client. The same code runs in browsers and in Node. */
import { type CreateClientOptions, createClient, NotFound, paginate } from "@lectern/client"

/** Publishes release notes as a page of the space "Releases", which it creates if necessary. Returns the titles of all pages. */
export const publishReleaseNotes = async (
  options: CreateClientOptions,
  version: string,
  markdown: string
) => {
  const client = createClient(options)
  const [organization] = (await client.organizations.listOrganizationsForAuthenticatedUser()).items
  if (organization === undefined) throw new Error("The user is not a member of an organization.")

  const params = { organizationId: organization.id }
  const spaces = paginate((cursor) =>
    client.spaces.listSpacesInOrganizationById({ params, query: { limit: 100, ...cursor } })
  )
  let spaceId: string | undefined
  for await (const space of spaces) if (space.title === "Releases") spaceId = space.id
  spaceId ??= (await client.spaces.createSpace({ params, payload: { title: "Releases" } })).id

  await client.content.updateSpaceContent({
    params: { spaceId },
    payload: { changes: [{ operation: "insert_page", title: version, document: { markdown } }] }
  })
  const { pages } = await client.content.listPages({ params: { spaceId } })
  return pages.map(({ title }) => title)
}

/** Returns the title of a space, or `undefined` if it does not exist or the user cannot see it. */
export const getSpaceTitle = async (
  options: CreateClientOptions,
  spaceId: string
): Promise<string | undefined> => {
  try {
    return (await createClient(options).spaces.getSpaceById({ params: { spaceId } })).title
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}
