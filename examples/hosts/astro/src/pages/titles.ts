/** A route of the application that calls the services of the workspace. */
import type { APIRoute } from "astro"
import { workspace } from "../workspace.ts"

export const GET: APIRoute = async () => {
  const { items } = await workspace.administration.listOrganizations({})
  return Response.json(items.map(({ title }) => title))
}
