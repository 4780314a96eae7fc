/** The API specifications of an organization. */
import type { OpenAPISpec } from "@lectern/client/fetch"
import { useList } from "../../data/lists.ts"
import { useOrganization } from "../../data/organization.ts"
import type { Resource } from "../../data/useResource.ts"
import { useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"

/** The key of the specifications of an organization. */
export const specsKey = (organizationId: string): string => `organizations/${organizationId}/specs`

/** The specifications of the organization that is displayed. */
export const useSpecs = (): Resource<ReadonlyArray<OpenAPISpec>> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useList(id === undefined ? undefined : `${specsKey(id)}/list`, (query, signal) =>
    client.openApiSpecs.listOpenAPISpecs({ params: { organizationId: id! }, query }, { signal })
  )
}

/** A specification, by its slug. */
export const useSpec = (slug: string): Resource<OpenAPISpec> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useResource(
    id === undefined ? undefined : `${specsKey(id)}/${slug}/spec`,
    (signal) =>
      client.openApiSpecs.getOpenAPISpecBySlug(
        { params: { organizationId: id!, specSlug: slug } },
        { signal }
      ),
    { staleAfterMs: 500 }
  )
}

/** Returns whether the source is being read. */
export const isProcessing = ({ processingState }: OpenAPISpec): boolean => processingState !== "complete"
