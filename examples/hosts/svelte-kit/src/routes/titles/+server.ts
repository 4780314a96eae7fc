/** A route of the application that calls the services of the workspace. */
import { json } from "@sveltejs/kit"
import { workspace } from "../../lib/server/workspace.ts"

export const GET = async () => {
  const { items } = await workspace.administration.listOrganizations({})
  return json(items.map(({ title }) => title))
}
