/** The properties of a schema with their doc comments, as its source declares them. */

/** A property and the schema of its value. */
export interface Property {
  readonly description: string | undefined
  readonly value: SchemaTree
}

/** A schema: its properties, or the members of a union. */
export interface SchemaTree {
  /** The `identifier` annotation. Undefined for schemas that the OpenAPI document describes in place. */
  readonly identifier: string | undefined
  /** The doc comment of the declaration. */
  readonly description: string | undefined
  readonly properties: ReadonlyMap<string, Property>
  readonly members: ReadonlyArray<SchemaTree>
}

/** A schema without properties, such as a string. */
export const emptyTree: SchemaTree = {
  identifier: undefined,
  description: undefined,
  properties: new Map(),
  members: []
}

/** Replaces unions by their members, as the OpenAPI document does. */
const flattenUnion = (tree: SchemaTree): ReadonlyArray<SchemaTree> =>
  tree.identifier === undefined && tree.members.length > 0 ? tree.members.flatMap(flattenUnion) : [tree]

/**
 * Lists the descriptions of a schema with an identifier, by path. The empty path is the schema itself, `urls.location` is a
 * property of a property, and `#1.type` is a property of the second member of a union. Arrays and records add nothing to a
 * path. Nested schemas with an identifier are not included, because they have lists of their own.
 */
export const listDescriptions = (tree: SchemaTree): ReadonlyMap<string, string> => {
  const descriptions = new Map<string, string>()
  if (tree.description !== undefined) descriptions.set("", tree.description)
  const visit = ({ properties, members }: SchemaTree, path: string, ancestors: ReadonlyArray<SchemaTree>) => {
    for (const [name, { description, value }] of properties) {
      const at = path === "" ? name : `${path}.${name}`
      if (description !== undefined) descriptions.set(at, description)
      visitValue(value, at, ancestors)
    }
    for (const [index, member] of members.flatMap(flattenUnion).entries())
      visitValue(member, `${path}#${index}`, ancestors)
  }
  const visitValue = (value: SchemaTree, path: string, ancestors: ReadonlyArray<SchemaTree>) => {
    if (value.identifier !== undefined || ancestors.includes(value)) return
    visit(value, path, [...ancestors, value])
  }
  visit(tree, "", [tree])
  return descriptions
}
