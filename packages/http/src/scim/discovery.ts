/** The discovery of the server (RFC 7644, section 4): its features, its schemas and its types of resources. */
import {
  type AttributeDefinition,
  groupDefinition,
  type ResourceDefinition,
  userDefinition
} from "./attributes.ts"

/** The maximum number of resources in a response. */
export const maximumResults = 200

const schemaUrn = "urn:ietf:params:scim:schemas:core:2.0:"

/** The types of resources. */
export const resourceDefinitions: ReadonlyArray<ResourceDefinition> = [userDefinition, groupDefinition]

/** Returns the resource `ServiceProviderConfig`. */
export const serviceProviderConfig = (base: string) => ({
  schemas: [`${schemaUrn}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maximumResults },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "API token",
      description: "An API token of an administrator, with the permission organization.provision.",
      specUri: "https://www.rfc-editor.org/info/rfc6750",
      primary: true
    }
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` }
})

const presentAttribute = (attribute: AttributeDefinition): unknown => ({
  ...attribute,
  ...(attribute.subAttributes === undefined
    ? {}
    : { subAttributes: attribute.subAttributes.map(presentAttribute) })
})

/** Returns the resource `Schema` of a type of resources. */
export const schemaResource = (
  base: string,
  { schema, name, description, attributes }: ResourceDefinition
) => ({
  schemas: [`${schemaUrn}Schema`],
  id: schema,
  name,
  description,
  attributes: attributes.map(presentAttribute),
  meta: { resourceType: "Schema", location: `${base}/Schemas/${schema}` }
})

/** Returns the resource `ResourceType` of a type of resources. */
export const resourceType = (base: string, { schema, name, description, endpoint }: ResourceDefinition) => ({
  schemas: [`${schemaUrn}ResourceType`],
  id: name,
  name,
  endpoint,
  description,
  schema,
  meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` }
})
