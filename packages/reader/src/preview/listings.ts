/**
 * Serves the pages at `urls.app` of resources without content of their own: organizations, collections, sites, OpenAPI
 * specs and integrations. Each page is a list of links that leads to the previews.
 */
import {
  type Collection,
  Collections,
  type Identity,
  Integrations,
  type NotFound,
  OpenApiSpecs,
  Organizations,
  type Page,
  SiteSpaces,
  Sites,
  Spaces,
  type StorageUnavailable
} from "@lectern/core"
import { CollectionId, IntegrationName, OrganizationId, SiteId, SpecSlug } from "@lectern/model"
import { Effect, Option, Schema } from "effect"
import type { Assets } from "../assets/files.ts"
import { type Content, element } from "../html/Html.ts"
import { externalUrl, relativeUrl } from "../html/urls.ts"
import { type ReaderRequest, type ReaderResponse, renderedHtml, respond } from "../http/messages.ts"
import { renderPlainPage } from "../page/renderPlain.ts"
import { type ContentLoader, orNotFound } from "../source/ContentLoader.ts"
import { externalLink, type Item, linkTo, renderFacts, renderList } from "./renderListing.ts"
import { logoutPath, pathOf } from "./session.ts"

/** The resource that the path of a listing names. */
type Target =
  | { readonly kind: "organization"; readonly organization: OrganizationId }
  | { readonly kind: "site"; readonly organization: OrganizationId; readonly site: SiteId }
  | { readonly kind: "spec"; readonly organization: OrganizationId; readonly slug: SpecSlug }
  | { readonly kind: "collection"; readonly collection: CollectionId }
  | { readonly kind: "integration"; readonly integration: IntegrationName }

const parsers = {
  organization: Schema.decodeUnknownOption(OrganizationId),
  site: Schema.decodeUnknownOption(SiteId),
  slug: Schema.decodeUnknownOption(SpecSlug),
  collection: Schema.decodeUnknownOption(CollectionId),
  integration: Schema.decodeUnknownOption(IntegrationName)
}

/** Parses the path of a listing; `undefined` for the path of anything else. */
const parseTarget = (path: string): Target | undefined => {
  const [first, id, kind, item, ...more] = path.replace(/\/$/, "").split("/")
  if (more.length > 0) return undefined
  const integrationOf = (name: string | undefined): Option.Option<Target> =>
    Option.map(parsers.integration(name), (integration) => ({ kind: "integration", integration }))
  const target = (): Option.Option<Target> => {
    if (kind === undefined) {
      if (first === "o") {
        return Option.map(parsers.organization(id), (organization) => ({
          kind: "organization",
          organization
        }))
      }
      if (first === "c") {
        return Option.map(parsers.collection(id), (collection) => ({ kind: "collection", collection }))
      }
      return first === "integrations" ? integrationOf(id) : Option.none()
    }
    if (first !== "o") return Option.none()
    if (kind === "integrations") return integrationOf(item)
    return Option.flatMap(parsers.organization(id), (organization): Option.Option<Target> => {
      if (kind === "sites") {
        return Option.map(parsers.site(item), (site) => ({ kind: "site", organization, site }))
      }
      return kind === "openapi"
        ? Option.map(parsers.slug(item), (slug) => ({ kind: "spec", organization, slug }))
        : Option.none()
    })
  }
  return Option.getOrUndefined(target())
}

/** Whether the path can be that of a listing. */
export const isListing = (path: string): boolean => /^(?:o|c|integrations)\/[^/]/.test(path)

/** The maximum number of items of a list on a page. */
const itemsPerPage = 100

/** A page of a listing: what it displays below its title. */
interface Listing {
  readonly title: string
  /** The page above this one. */
  readonly parent?: Item
  readonly main: Content
}

const spaceItem = ({ id, title }: { readonly id: string; readonly title: string }): Item => ({
  title,
  path: `s/${id}/`
})

const collectionItem = ({ id, title, description }: Collection): Item => ({
  title,
  path: `c/${id}`,
  detail: description
})

/** Creates the function that serves listings. It fails with `NotFound` for resources that the reader cannot see. */
export const makeServeListing = Effect.fnUntraced(function* (loader: ContentLoader, assets: Assets) {
  const organizations = yield* Organizations
  const collections = yield* Collections
  const spaces = yield* Spaces
  const sites = yield* Sites
  const siteSpaces = yield* SiteSpaces
  const specs = yield* OpenApiSpecs
  const integrations = yield* Integrations

  /** Loads the collections directly in a collection. */
  const childrenOf = Effect.fnUntraced(function* (identity: Identity, parent: Collection) {
    const items: Array<Collection> = []
    let page: string | undefined
    do {
      const listed: Page<Collection> = yield* orNotFound(
        loader.as(identity)(
          collections.list({
            organization: parent.organization,
            input: { limit: 1000, ...(page === undefined ? {} : { page }) }
          })
        )
      )
      items.push(...listed.items.filter((collection) => collection.parent === parent.id))
      page = listed.next?.page
    } while (page !== undefined)
    return { items, count: items.length } satisfies Page<Collection>
  })

  const load = Effect.fnUntraced(function* (request: ReaderRequest, identity: Identity, target: Target) {
    const query = new URLSearchParams(request.url.split("?")[1] ?? "")
    const as = loader.as(identity)
    const inputOf = (parameter: string) => {
      const page = query.get(parameter)
      return { limit: itemsPerPage, ...(page === null ? {} : { page }) }
    }
    const organizationItem = (id: OrganizationId) =>
      Effect.map(organizations.get({ organization: id }), ({ title }): Item => ({ title, path: `o/${id}` }))

    const organization = Effect.fnUntraced(function* (id: OrganizationId) {
      const { title } = yield* organizations.get({ organization: id })
      const listed = yield* sites.list({ organization: id, input: inputOf("sites") })
      const roots = yield* collections.list({
        organization: id,
        input: { ...inputOf("collections"), nested: false }
      })
      const visibleSpaces = yield* spaces.list({ organization: id, input: inputOf("spaces") })
      const documents = yield* specs.list({ organization: id, input: inputOf("specs") })
      const isEmpty = [listed, roots, visibleSpaces, documents].every(({ count }) => count === 0)
      return {
        title,
        main: [
          renderList(request, "Sites", "sites", listed, (site) => ({
            title: site.title,
            path: `o/${id}/sites/${site.id}`,
            detail: site.published ? "published" : "not published"
          })),
          renderList(request, "Collections", "collections", roots, collectionItem),
          renderList(request, "Spaces", "spaces", visibleSpaces, spaceItem),
          renderList(request, "OpenAPI specs", "specs", documents, ({ slug }) => ({
            title: slug,
            path: `o/${id}/openapi/${slug}`
          })),
          isEmpty && element("p", {}, "The organization has nothing that you can see.")
        ]
      } satisfies Listing
    })

    const site = Effect.fnUntraced(function* (id: OrganizationId, siteId: SiteId) {
      const found = yield* sites.get({ organization: id, site: siteId })
      const onSite = yield* siteSpaces.list({ organization: id, site: siteId, input: inputOf("spaces") })
      return {
        title: found.title,
        parent: yield* organizationItem(id),
        main: [
          renderFacts([
            ["Published at", found.published ? externalLink(found.urls.published) : "not published"],
            ["Visible to", found.visibility]
          ]),
          renderList(request, "Spaces", "spaces", onSite, ({ title, path, space }) => ({
            ...spaceItem({ id: space.id, title }),
            detail: path
          }))
        ]
      } satisfies Listing
    })

    const spec = Effect.fnUntraced(function* (id: OrganizationId, slug: SpecSlug) {
      const found = yield* specs.get({ organization: id, slug })
      const versions = yield* specs.listVersions({ organization: id, slug, input: inputOf("versions") })
      return {
        title: slug,
        parent: yield* organizationItem(id),
        main: [
          renderFacts([
            ["Source", externalLink(found.sourceURL) ?? "a document"],
            ["State", found.processingState],
            ["Error", found.lastProcessErrorCode],
            ["Last read", found.lastProcessedAt]
          ]),
          element("h2", {}, `Versions (${versions.count})`),
          element(
            "ul",
            { class: "listing" },
            versions.items.map(({ createdAt, url }) => {
              const href = externalUrl(url)
              return element("li", {}, href === undefined ? createdAt : element("a", { href }, createdAt))
            })
          )
        ]
      } satisfies Listing
    })

    const collection = Effect.fnUntraced(function* (id: CollectionId) {
      const found = yield* collections.get({ collection: id })
      const children = yield* childrenOf(identity, found)
      const inCollection = yield* collections.listSpaces({ collection: id, input: inputOf("spaces") })
      const { parent, title, description } = found
      return {
        title,
        parent:
          parent === undefined
            ? yield* organizationItem(found.organization)
            : collectionItem(yield* collections.get({ collection: parent })),
        main: [
          description !== undefined && element("p", {}, description),
          renderList(request, "Collections", "collections", children, collectionItem),
          renderList(request, "Spaces", "spaces", inCollection, spaceItem),
          children.count + inCollection.count === 0 && element("p", {}, "The collection is empty.")
        ]
      } satisfies Listing
    })

    const integration = Effect.fnUntraced(function* (name: IntegrationName) {
      const { title, summary } = yield* integrations.get({ integration: name })
      return { title, main: summary !== undefined && element("p", {}, summary) } satisfies Listing
    })

    switch (target.kind) {
      case "organization":
        return yield* as(organization(target.organization))
      case "site":
        return yield* as(site(target.organization, target.site))
      case "spec":
        return yield* as(spec(target.organization, target.slug))
      case "collection":
        return yield* as(collection(target.collection))
      case "integration":
        return yield* as(integration(target.integration))
    }
  })

  return Effect.fnUntraced(function* (
    request: ReaderRequest,
    identity: Identity
  ): Effect.fn.Return<ReaderResponse | undefined, NotFound | StorageUnavailable> {
    const from = pathOf(request)
    const target = parseTarget(from)
    if (target === undefined) return undefined
    const { title, parent, main }: Listing = yield* orNotFound(load(request, identity, target))
    const body = renderPlainPage(
      assets,
      relativeUrl(from, "s/~/assets/"),
      title === "" ? "Untitled" : title,
      parent !== undefined && element("p", {}, linkTo(from, parent)),
      main,
      element(
        "form",
        { method: "post", action: relativeUrl(from, logoutPath) },
        element("button", { class: "button secondary" }, "Log out")
      )
    )
    return respond(request, renderedHtml(body), "private")
  })
})
