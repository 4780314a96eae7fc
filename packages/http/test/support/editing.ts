/** A space that a test edits, on a server in memory: requests and shortcuts. */
import type { ContentPage, EditContent, EditedContent, Space } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { afterAll, beforeAll, beforeEach, expect } from "vitest"
import { startServer, type TestServer } from "../support.ts"

/** The changes of a batch, as clients send them. */
export type Changes = (typeof EditContent.Encoded)["changes"]

/** A page in a response, of any type. */
export type AnyPage = Record<string, never> & ContentPage

/** Returns the id of a page that a batch changed. */
export const idOf = (edited: EditedContent, index = 0): string => {
  const change = edited.changes[index]!
  return change.object === "deleted_page" ? change.page : change.page.id
}

/** Returns the change that inserts a page. */
export const insert = (title: string, more: object = {}) =>
  ({ operation: "insert_page", title, ...more }) as Changes[number]

/** Starts a server for the tests of a file. Each test has a space of its own. */
export const useEditing = () => {
  let server: TestServer
  let organization: string
  let token: string
  let space: Space

  const call = async <A>(
    method: string,
    path: string,
    body?: unknown
  ): Promise<{ status: number; body: A }> => {
    const response = await server.fetch(`/v1${path}`, {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as A }
  }

  beforeAll(async () => {
    server = await startServer(MemoryStorage.layer())
    const ada = await server.core.createUser("ada@example.com")
    organization = await server.core.createOrganization("Acme", ada)
    token = await server.tokenOf(ada)
  })
  afterAll(() => server.close())

  beforeEach(async () => {
    space = (await call<Space>("POST", `/orgs/${organization}/spaces`, {})).body
  })

  const content = () => `/spaces/${space.id}/content`

  return {
    /** Sends a request to the API. */
    call,

    /** The path of the content of the space. */
    content,

    /** The server, the organization, its space and a token. Valid within a test. */
    scene: () => ({ server, organization, token, space }),

    /** Applies a batch, which must succeed. */
    edit: async (...changes: Changes): Promise<EditedContent> => {
      const { status, body } = await call<EditedContent>("POST", content(), { changes })
      expect([status, status === 200 ? "" : body]).toEqual([200, ""])
      return body
    },

    /** Sends a batch that must fail with status 400 and change nothing; returns the details of the error. */
    validationErrors: async (...changes: ReadonlyArray<unknown>) => {
      const before = await call<Space>("GET", `/spaces/${space.id}`)
      const { status, body } = await call<{
        error: { message: string; details: ReadonlyArray<{ path: string; message: string }> }
      }>("POST", content(), { changes })
      expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/\.$/)])
      expect((await call<Space>("GET", `/spaces/${space.id}`)).body).toEqual(before.body)
      return body.error.details.map(({ path, message }) => `${path} ${message}`)
    },

    /** Returns a page. */
    page: async (id: string, query = "?format=markdown") =>
      (await call<AnyPage>("GET", `${content()}/page/${id}${query}`)).body,

    /** Returns the tree as titles: `a(b c) d`. */
    tree: async (): Promise<string> => {
      const { body } = await call<{ pages: ReadonlyArray<ContentPage> }>("GET", `${content()}/pages`)
      const show = (pages: ReadonlyArray<ContentPage>): string =>
        pages
          .map((one) => one.title + ("pages" in one && one.pages.length > 0 ? `(${show(one.pages)})` : ""))
          .join(" ")
      return show(body.pages)
    }
  }
}
