/** Helpers for the tests of links. */
import type { Link, LinkStats } from "@lectern/core"
import { expect } from "vitest"
import { call as send } from "../caller.ts"
import { validatePublicResponse } from "../contract.ts"
import type { TestServer } from "../support.ts"

/** A page of a list of links. */
export interface List<A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly next?: { readonly page: string }
  readonly stats: LinkStats
}

/** Creates an organization; returns operations on the content of its spaces. */
export const startContent = async (server: TestServer) => {
  const user = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const call = async <A>(method: string, path: string, body?: unknown, operation?: string) => {
    const { status, value } = await send<A>(server, token, method, path, body)
    if (operation !== undefined) expect(validatePublicResponse(operation, status, value)).toBeUndefined()
    return { status, value }
  }
  const spaceOf = async (title: string) =>
    (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title })).value.id
  const edit = async (at: string, ...changes: ReadonlyArray<unknown>) => {
    const { status, value } = await call<{
      changes: ReadonlyArray<{ page: { id: string } }>
      insertedFiles?: ReadonlyArray<{ id: string }>
    }>("POST", `${at}/content`, { changes })
    expect([status, value]).toMatchObject([200, {}])
    return value
  }
  const insert = async (at: string, title: string, markdown = "", more: object = {}) =>
    (await edit(at, { operation: "insert_page", title, document: { markdown }, ...more })).changes[0]!.page.id
  const write = (at: string, page: string, markdown: string) =>
    edit(at, { operation: "update_page", page, document: { markdown } })
  return { user, organization, call, spaceOf, edit, insert, write }
}

/** A location as a short string. */
export const describeLocation = (location: Link["targetReference"]): string => {
  switch (location.kind) {
    case "page":
      return `page ${location.page.title}${location.internalLocation === undefined ? "" : `#${location.internalLocation.anchor}`}`
    case "file":
      return `file ${location.file.name}`
    case "reusable-content":
      return `reusable ${location.reusableContent.title}`
    case "space":
      return `space ${location.space.title}`
    case "user":
      return `user ${location.user.displayName}`
    case "collection":
      return `collection ${location.collection.title}`
    case "openapi":
      return `openapi ${location.openAPISpec.slug}`
    case "url":
      return `url ${location.url}`
  }
}

/** A link as a short string: its status, its target and its locations. */
export const describeLink = ({ status, targetReference, locationReferences }: Link) =>
  `${status}: ${describeLocation(targetReference)} <- ${locationReferences.map(describeLocation).sort().join(", ")}`
