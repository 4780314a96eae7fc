/** The states in which the data of a screen can be, as responses of the server. */
import type { Page, Route } from "playwright-core"
import { shellStrings } from "../../src/strings/shell.ts"

const texts = shellStrings.en

/** A state of the data of a screen. */
export interface DataState {
  readonly name: string
  /** Responds to a request for data. */
  readonly answer: (route: Route) => Promise<void>
  /** Finds the content that the screen must display. */
  readonly isDisplayed: (page: Page) => Promise<boolean>
}

const errorResponse = (status: number, reason: string, message: string) => ({
  status,
  contentType: "application/json",
  headers: { "x-request-id": "request-of-the-test" },
  body: JSON.stringify({ error: { code: status, reason, message } })
})

const hasTitle = (title: string) => (page: Page) =>
  page.locator("#main").getByRole("heading", { name: title }).first().isVisible()

const hasRetry = (page: Page): Promise<boolean> =>
  page.locator("#main").getByRole("button", { name: texts.retry }).first().isVisible()

interface List {
  readonly items?: ReadonlyArray<unknown>
}

/** Removes the items of a list. Other resources remain. */
const respondEmpty = async (route: Route): Promise<void> => {
  const response = await route.fetch()
  const isJson = response.headers()["content-type"]?.includes("json") === true
  const body = isJson ? ((await response.json()) as List) : undefined
  if (body?.items === undefined) return route.fulfill({ response })
  return route.fulfill({ response, json: { items: [], count: 0, cursor: "" } })
}

/** The states, apart from that of data that is displayed. */
export const dataStates: ReadonlyArray<DataState> = [
  {
    name: "loading",
    // The request remains open until the page is closed.
    answer: () => Promise.resolve(),
    isDisplayed: (page) => page.locator("#main :is(.skeleton, [role=progressbar])").first().isVisible()
  },
  {
    name: "empty",
    answer: respondEmpty,
    // A list without items is replaced by its purpose.
    isDisplayed: async (page) => {
      const lists = await page.locator("#main .list, #main [role=treegrid], #main tbody").all()
      const counts = await Promise.all(lists.map((list) => list.locator("li, [role=row], tr").count()))
      const isLoaded = (await page.locator("#main .skeleton").count()) === 0
      return isLoaded && !counts.includes(0) && (await page.locator("#main h1").count()) > 0
    }
  },
  {
    name: "failed",
    answer: (route) => route.fulfill(errorResponse(500, "Unknown", "The server failed.")),
    isDisplayed: async (page) =>
      (await hasTitle(texts.failedTitle)(page)) &&
      (await hasRetry(page)) &&
      (await page.locator("#main").getByText("request-of-the-test").first().isVisible())
  },
  {
    name: "without a server",
    answer: (route) => route.abort("internetdisconnected"),
    isDisplayed: async (page) => (await hasTitle(texts.serverAway)(page)) && (await hasRetry(page))
  },
  {
    name: "not permitted",
    answer: (route) => route.fulfill(errorResponse(403, "RoleTooLow", "You may not see this.")),
    isDisplayed: hasTitle(texts.forbiddenTitle)
  }
]

/** The requests of the frame of the application: the person and their organizations. */
const isOfFrame = (path: string): boolean => /^\/v1\/(user|orgs)$/.test(path)

/** The stream of changes, whose response does not end. */
const isStream = (path: string): boolean => path.endsWith("/stream")

/** Responds to the requests for the data of screens, from the next one. */
export const setDataState = async (page: Page, { answer }: DataState): Promise<void> => {
  // The second factor is managed by pages of the server, with the session.
  await page.route(/\/v1\/|\/~\/passkeys$/, (route) => {
    const isRead = route.request().method() === "GET"
    const { pathname } = new URL(route.request().url())
    return isRead && !isOfFrame(pathname) && !isStream(pathname) ? answer(route) : route.continue()
  })
}
