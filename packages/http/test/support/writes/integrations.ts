/** Writes to OpenAPI specs, translation settings and integrations. */
import {
  byRow,
  type Created,
  exists,
  fact,
  isMissing,
  oneIn,
  organizationPath,
  pickOne,
  removeWhere,
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

const createSpecification: WriteKind = (writer) => {
  const slug = `spec-${uniqueName(writer)}`.toLowerCase()
  return {
    ...byRow(writer, "createOpenAPISpec", {}, { slug }),
    facts: [exists(`${organizationPath(writer)}/openapi/${slug}`)],
    done: () => void writer.specs.push(slug)
  }
}

const deleteSpecification: WriteKind = (writer) => {
  const slug = pickOne(writer, writer.specs)
  if (slug === undefined) return undefined
  removeWhere(writer.specs, (other) => other === slug)
  return {
    ...byRow(writer, "deleteOpenAPISpecBySlug", { specSlug: slug }),
    facts: [isMissing(`${organizationPath(writer)}/openapi/${slug}`)]
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

const deleteTranslation: WriteKind = (writer) => {
  const path = pickOne(writer, writer.translations)
  if (path === undefined) return undefined
  removeWhere(writer.translations, (other) => other === path)
  return { method: "DELETE", path, facts: [isMissing(path)] }
}

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
    done: ({ id }: Created) => {
      writer.installations.push({ integration: name, id })
      return [exists(`/integrations/${name}/installations/${id}`)]
    }
  }
}

const updateInstallation: WriteKind = (writer) => {
  const installation = pickOne(writer, writer.installations)
  if (installation === undefined) return undefined
  const { integration, id } = installation
  const externalId = uniqueName(writer)
  return {
    ...byRow(
      writer,
      "updateIntegrationInstallation",
      { integrationName: integration, installationId: id },
      { externalIds: [externalId] }
    ),
    facts: [fact(`/integrations/${integration}/installations/${id}`, "externalIds.0", externalId)]
  }
}

const uninstallIntegration: WriteKind = (writer) => {
  const installation = pickOne(writer, writer.installations)
  if (installation === undefined) return undefined
  const { integration, id } = installation
  removeWhere(writer.installations, (other) => other === installation)
  removeWhere(writer.contentInstallations, ({ path }) =>
    path.startsWith(`/integrations/${integration}/installations/${id}/`)
  )
  return {
    ...byRow(writer, "uninstallIntegration", { integrationName: integration, installationId: id }),
    facts: [isMissing(`/integrations/${integration}/installations/${id}`)]
  }
}

/** Removes an integration with its installations. */
const unpublishIntegration: WriteKind = (writer) => {
  const name = pickOne(writer, writer.integrations)
  if (name === undefined) return undefined
  removeWhere(writer.integrations, (other) => other === name)
  removeWhere(writer.installations, ({ integration }) => integration === name)
  removeWhere(writer.contentInstallations, ({ path }) => path.startsWith(`/integrations/${name}/`))
  return {
    ...byRow(writer, "unpublishIntegration", { integrationName: name }),
    facts: [isMissing(`/integrations/${name}`)]
  }
}

/** Ends the development mode of an integration, which no fact about it shows. */
const disableDevelopmentMode: WriteKind = (writer) => {
  const name = pickOne(writer, writer.integrations)
  return name === undefined
    ? undefined
    : {
        ...byRow(writer, "disableIntegrationDevelopmentMode", { integrationName: name }),
        facts: [exists(`/integrations/${name}`)]
      }
}

/** The kinds of these writes, by operation. */
export const integrationWrites = {
  createOrUpdateOpenAPISpecBySlug: [putSpecification],
  createOpenAPISpec: [createSpecification],
  deleteOpenAPISpecBySlug: [deleteSpecification],
  createTranslation: [createTranslation],
  updateTranslation: [renameTranslation],
  deleteTranslation: [deleteTranslation],
  publishIntegration: [publishIntegration],
  unpublishIntegration: [unpublishIntegration],
  installIntegration: [installIntegration],
  updateIntegrationInstallation: [updateInstallation],
  uninstallIntegration: [uninstallIntegration],
  disableIntegrationDevelopmentMode: [disableDevelopmentMode]
} satisfies WriteKinds
