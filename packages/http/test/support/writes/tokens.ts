/** Writes to API tokens. */
import {
  type Created,
  fact,
  isMissing,
  organizationPath,
  pickOne,
  removeWhere,
  uniqueName,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

/** The maximum number of tokens of a writer. A user can have 100. */
const maximumTokens = 5

const path = "/user/tokens"

const createToken: WriteKind = (writer) => {
  if (writer.tokens.length >= maximumTokens) return undefined
  const label = uniqueName(writer)
  return {
    method: "POST",
    path,
    body: { label, organization: writer.organization },
    done: ({ id }: Created) => {
      writer.tokens.push(id)
      return [fact(`${path}/${id}`, "label", label)]
    }
  }
}

const updateToken: WriteKind = (writer) => {
  const id = pickOne(writer, writer.tokens)
  if (id === undefined) return undefined
  const label = uniqueName(writer)
  return {
    method: "PATCH",
    path: `${path}/${id}`,
    body: { label },
    facts: [fact(`${path}/${id}`, "label", label)]
  }
}

/** Removes a token from the tokens of a writer. */
const takeToken = (writer: Writer): string | undefined => {
  const id = pickOne(writer, writer.tokens)
  removeWhere(writer.tokens, (other) => other === id)
  return id
}

const revokeToken: WriteKind = (writer) => {
  const id = takeToken(writer)
  return id === undefined
    ? undefined
    : { method: "DELETE", path: `${path}/${id}`, facts: [isMissing(`${path}/${id}`)] }
}

const revokeOrganizationToken: WriteKind = (writer) => {
  const id = takeToken(writer)
  return id === undefined
    ? undefined
    : {
        method: "DELETE",
        path: `${organizationPath(writer)}/tokens/${id}`,
        facts: [isMissing(`${path}/${id}`)]
      }
}

/** The kinds of writes to API tokens, by their operations. */
export const tokenWrites = {
  createApiToken: [createToken],
  updateApiToken: [updateToken],
  revokeApiToken: [revokeToken],
  revokeOrganizationToken: [revokeOrganizationToken]
} satisfies WriteKinds
