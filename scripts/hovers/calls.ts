/** The ten most frequent calls of hosts, whose hovers are in `golden.md`. `^` marks the name above it. */
import { createClient } from "@lectern/client"
import { createWorkspace } from "@lectern/core"
import { toNodeListener, toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"

export const workspace = createWorkspace({ storage: sqlite("docs.db") })
//                       ^
export const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
//                                                 ^
export const acme = { administrator: user, input: { title: "Acme" } }
export const organization = await workspace.administration.createOrganization(acme)
//                                                         ^
const { spaces, content } = workspace.as(user)
//                                    ^
export const space = await spaces.create({ organization, input: { title: "Handbook" } })
//                                ^
export const { items } = await spaces.list({ organization })
//                                    ^
await content.edit({ content: { space: space.id }, input: { changes: [] } })
//            ^
await workspace.transaction({ organizations: [organization] }, async (tx) => tx.as(user))
//              ^
export const listener = toNodeListener(workspace, { prefix: "/docs-api" })
//                      ^
export const handler = toWebHandler(workspace)
//                     ^
export const client = createClient({ baseUrl: "https://docs.example.com", token: "secret" })
//                    ^
export const found = await client.spaces.getSpaceById({ params: { spaceId: space.id } })
//                                       ^
