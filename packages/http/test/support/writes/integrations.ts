/** Writes to OpenAPI specs, translation settings and integrations. */
import {
  type Created,
  exists,
  fact,
  oneIn,
  organizationPath,
  pickOne,
  rename,
  uniqueName,
  type WriteKind,
  type WriteKinds
} from "./writes.ts"

const putSpecification: WriteKind = (writer) => {
  const slug = oneIn(writer, 2) ? pickOne(writer, writer.specs) : undefined
  const name = slug ?? `spec-${uniqueName(writer)}`.toLowerCase()
  const title = uniqueName(writer)
  const path = `${organizationPath(writer)}/openapi/${name}`
  const spec = { openapi: "3.1.0", info: { title, version: "1" }, paths: {} }
  return {
    method: "PUT",
    path,
    body: { source: { text: JSON.stringify(spec) } },
    done: () => {
      if (slug === undefined) writer.specs.push(name)
      return [exists(path)]
    }
  }
}

const createTranslation: WriteKind = (writer) => {
  const title = uniqueName(writer)
  return {
    method: "POST",
    path: `${organizationPath(writer)}/translations`,
    body: { title },
    done: ({ id }: Created) => {
      writer.translations.push(`${organizationPath(writer)}/translations/${id}`)
      return [fact(`${organizationPath(writer)}/translations/${id}`, "title", title)]
    }
  }
}

const renameTranslation: WriteKind = (writer) => rename(writer, pickOne(writer, writer.translations), "PUT")

const publishIntegration: WriteKind = (writer) => {
  const name = pickOne(writer, writer.integrations) ?? `i-${uniqueName(writer)}`.toLowerCase()
  const title = uniqueName(writer)
  const path = `/integrations/${name}`
  return {
    method: "POST",
    path,
    body: {
      organization: writer.organization,
      title,
      description: "",
      script: "x",
      scopes: [],
      secrets: { one: "1", two: "2" }
    },
    facts: [fact(path, "title", title)],
    done: () => {
      if (!writer.integrations.includes(name)) writer.integrations.push(name)
      return []
    }
  }
}

const installIntegration: WriteKind = (writer) => {
  const name = pickOne(writer, writer.integrations)
  if (name === undefined) return undefined
  return {
    method: "POST",
    path: `/integrations/${name}/installations`,
    body: { organization: writer.organization },
    done: ({ id }: Created) => [exists(`/integrations/${name}/installations/${id}`)]
  }
}

/** The kinds of writes to OpenAPI specs, translations and integrations, by operation. */
export const integrationWrites = {
  createOrUpdateOpenAPISpecBySlug: [putSpecification],
  createTranslation: [createTranslation],
  updateTranslation: [renameTranslation],
  publishIntegration: [publishIntegration],
  installIntegration: [installIntegration]
} satisfies WriteKinds
