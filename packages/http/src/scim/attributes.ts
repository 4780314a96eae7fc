/** The attributes of the resources (RFC 7643), as data: discovery, filters, paths and projections derive from them. */

/** The core schema of users. */
export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
/** The core schema of groups. */
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"
/** The enterprise extension of users, which is accepted and not stored. */
export const enterpriseSchema = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

/** An attribute, with the characteristics of RFC 7643, section 2.2. */
export interface AttributeDefinition {
  readonly name: string
  readonly type: "string" | "boolean" | "dateTime" | "reference" | "complex"
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: "readOnly" | "readWrite" | "immutable"
  readonly returned: "always" | "default"
  readonly uniqueness: "none" | "server"
  readonly subAttributes?: ReadonlyArray<AttributeDefinition>
  readonly referenceTypes?: ReadonlyArray<string>
}

const define = (
  name: string,
  description: string,
  more: Partial<Omit<AttributeDefinition, "name" | "description">> = {}
): AttributeDefinition => ({
  name,
  type: "string",
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...more
})

const readOnly = { mutability: "readOnly" } as const
const immutable = { mutability: "immutable" } as const

/** The attributes of every resource, which no schema lists. */
const commonAttributes: ReadonlyArray<AttributeDefinition> = [
  define("schemas", "The schemas of the resource.", { ...readOnly, multiValued: true, returned: "always" }),
  define("id", "The id that the server has assigned.", {
    ...readOnly,
    caseExact: true,
    returned: "always",
    uniqueness: "server"
  }),
  define("externalId", "The id that the identity provider has assigned.", { caseExact: true }),
  define("meta", "The metadata of the resource.", {
    ...readOnly,
    type: "complex",
    subAttributes: [
      define("resourceType", "The type of the resource.", { ...readOnly, caseExact: true }),
      define("created", "When the resource was created.", { ...readOnly, type: "dateTime" }),
      define("lastModified", "When the resource was last provisioned.", { ...readOnly, type: "dateTime" }),
      define("location", "The URL of the resource.", { ...readOnly, type: "reference", caseExact: true }),
      define("version", "The entity tag of the resource.", { ...readOnly, caseExact: true })
    ]
  })
]

/** A type of resources. */
export interface ResourceDefinition {
  readonly name: "User" | "Group"
  readonly endpoint: "/Users" | "/Groups"
  readonly schema: string
  readonly description: string
  /** The attributes that the schema lists. */
  readonly attributes: ReadonlyArray<AttributeDefinition>
  /** The attributes of RFC 7643 that are accepted and not stored, in lower case. */
  readonly ignored: ReadonlySet<string>
}

/** Members of the organization. */
export const userDefinition: ResourceDefinition = {
  name: "User",
  endpoint: "/Users",
  schema: userSchema,
  description: "A member of the organization.",
  attributes: [
    define("userName", "The name that identifies the user at the identity provider.", {
      required: true,
      uniqueness: "server"
    }),
    define("name", "The parts of the name of the user.", {
      type: "complex",
      subAttributes: [
        define("formatted", "The full name."),
        define("familyName", "The family name."),
        define("givenName", "The given name.")
      ]
    }),
    define("displayName", "The name that is displayed."),
    define("active", "Whether the membership is enabled.", { type: "boolean" }),
    define("emails", "The e-mail address of the account of the user.", {
      ...immutable,
      type: "complex",
      multiValued: true,
      subAttributes: [
        define("value", "The e-mail address.", immutable),
        define("type", "The type of the address: always `work`.", immutable),
        define("primary", "Whether the address is the primary one: always true.", {
          ...immutable,
          type: "boolean"
        })
      ]
    })
  ],
  ignored: new Set(
    (
      "nickName profileUrl title userType preferredLanguage locale timezone password phoneNumbers ims photos addresses " +
      "groups entitlements roles x509Certificates name.middleName name.honorificPrefix name.honorificSuffix emails.display"
    )
      .toLowerCase()
      .split(" ")
  )
}

/** Teams of the organization. */
export const groupDefinition: ResourceDefinition = {
  name: "Group",
  endpoint: "/Groups",
  schema: groupSchema,
  description: "A team of the organization.",
  attributes: [
    define("displayName", "The title of the team.", { required: true }),
    define("members", "The users in the team.", {
      type: "complex",
      multiValued: true,
      subAttributes: [
        define("value", "The id of the user.", { ...immutable, caseExact: true }),
        define("$ref", "The URL of the user.", {
          ...immutable,
          type: "reference",
          caseExact: true,
          referenceTypes: ["User"]
        }),
        define("type", "The type of the member: always `User`.", immutable)
      ]
    })
  ],
  ignored: new Set(["members.display"])
}

/** A place in a resource: an attribute, and one of its sub-attributes. */
export interface ResolvedAttribute {
  readonly attribute: AttributeDefinition
  readonly sub: AttributeDefinition | undefined
}

const byName = (
  attributes: ReadonlyArray<AttributeDefinition> | undefined,
  name: string
): AttributeDefinition | undefined => {
  const lower = name.toLowerCase()
  return attributes?.find((attribute) => attribute.name.toLowerCase() === lower)
}

/**
 * Returns the attribute of a name such as `name.givenName`, with or without the URN of its schema before it: `ignored` for one that is
 * accepted and not stored, and undefined for an unknown one. Names ignore case.
 */
export const resolveAttribute = (
  { schema, attributes, ignored }: ResourceDefinition,
  path: string
): ResolvedAttribute | "ignored" | undefined => {
  const lower = path.toLowerCase()
  const extension = enterpriseSchema.toLowerCase()
  if (lower === extension || lower.startsWith(`${extension}:`)) return "ignored"
  const core = `${schema.toLowerCase()}:`
  const name = lower.startsWith(core) ? lower.slice(core.length) : lower
  const [first = "", second, ...rest] = name.split(".")
  if (rest.length > 0) return undefined
  if (ignored.has(name) || ignored.has(first)) return "ignored"
  const attribute = byName([...commonAttributes, ...attributes], first)
  if (attribute === undefined) return undefined
  if (second === undefined) return { attribute, sub: undefined }
  const sub = byName(attribute.subAttributes, second)
  return sub === undefined ? undefined : { attribute, sub }
}
