/** Calls on content, change requests and reviews. */
import type { SeededRandom } from "../random/SeededRandom.ts"
import { type CallKind, command, idIn, query } from "./CallKind.ts"
import { type Choice, type KnownPage, pickRecent } from "./KnownResources.ts"

const words = ["otter", "heron", "marten", "stoat", "weasel", "polecat", "badger", "vole"]

/** The approximate length of the body of a page, in characters. */
const bodyLength = 1_000

/** Generates a title. */
export const makeTitle = (random: SeededRandom): string => `${random.pick(words)} ${random.below(1_000)}`

/** Generates the body of a page: paragraphs, so that concurrent edits merge and conflict. */
export const makeBody = (random: SeededRandom): string => {
  let body = `# ${makeTitle(random)}\n`
  while (body.length < bodyLength) {
    const sentence = Array.from({ length: 8 }, () => random.pick(words)).join(" ")
    body += `\nThe ${sentence}.\n`
  }
  return body
}

const chooseSpace = ({ random, known }: Choice) => pickRecent(random, known.spaces)
const chooseRequest = ({ random, known }: Choice) => pickRecent(random, known.changeRequests)

const contentOf = ({ space, changeRequest }: KnownPage) => ({
  space,
  ...(changeRequest === undefined ? {} : { changeRequest })
})

/** Chooses a change request, or a space. */
const chooseContent = (choice: Choice) => {
  const request = choice.random.chance(0.5) ? chooseRequest(choice) : undefined
  if (request !== undefined) return { space: request.space, changeRequest: request.id }
  const space = chooseSpace(choice)
  return space === undefined ? undefined : { space }
}

/** Chooses a page, in its own content or in a change request of its space. */
const choosePage = (choice: Choice) => {
  const { random, known } = choice
  const page = pickRecent(random, known.pages)
  if (page === undefined) return undefined
  const requests = known.changeRequests.filter(({ space }) => space === page.space)
  const request =
    page.changeRequest === undefined && random.chance(0.4) ? pickRecent(random, requests) : undefined
  const content = request === undefined ? contentOf(page) : { space: page.space, changeRequest: request.id }
  return { content, page: page.id }
}

/** Returns the ids of the pages that a batch has created. */
const createdPages = (result: unknown): ReadonlyArray<string> => {
  const { changes = [] } = result as {
    readonly changes?: ReadonlyArray<{ readonly object?: string; readonly page?: unknown }>
  }
  return changes.flatMap(({ object, page }) => (object === "created_page" ? (idIn(page) ?? []) : []))
}

const chooseChangeRequest = (choice: Choice) => {
  const request = chooseRequest(choice)
  return request === undefined ? undefined : { space: request.space, changeRequest: request.id }
}

/** The kinds of calls on content. */
export const contentKinds: ReadonlyArray<CallKind> = [
  command(
    "Content.edit",
    (choice) => {
      const content = chooseContent(choice)
      if (content === undefined) return undefined
      const { random } = choice
      const into = random.chance(0.3) ? choosePage(choice) : undefined
      const change = {
        operation: "insert_page",
        title: makeTitle(random),
        document: { markdown: makeBody(random) },
        ...(into !== undefined && into.content.space === content.space ? { into: into.page } : {}),
        ...(random.chance(0.3) ? { at: random.below(3) } : {})
      }
      return { content, input: { changes: [change] } }
    },
    {
      name: "Content.edit: insert a page",
      learn: (known, result, { content }) => {
        const { space, changeRequest } = content as { space: string; changeRequest?: string }
        for (const id of createdPages(result)) known.pages.push({ space, changeRequest, id })
      }
    }
  ),
  command(
    "Content.edit",
    (choice) => {
      const chosen = choosePage(choice)
      if (chosen === undefined) return undefined
      const { random } = choice
      const change = {
        operation: "update_page",
        page: chosen.page,
        ...(random.chance(0.3) ? { title: makeTitle(random) } : {}),
        document: { markdown: makeBody(random) }
      }
      return { content: chosen.content, input: { changes: [change] } }
    },
    { name: "Content.edit: update a page" }
  ),
  command(
    "Content.edit",
    (choice) => {
      const chosen = choosePage(choice)
      if (chosen === undefined) return undefined
      const at = choice.random.below(3)
      return {
        content: chosen.content,
        input: { changes: [{ operation: "update_page", page: chosen.page, into: null, at }] }
      }
    },
    { name: "Content.edit: move a page" }
  ),
  command(
    "Content.edit",
    (choice) => {
      const chosen = choosePage(choice)
      if (chosen === undefined) return undefined
      return {
        content: chosen.content,
        input: { changes: [{ operation: "delete_page", page: chosen.page }] }
      }
    },
    { name: "Content.edit: delete a page" }
  ),
  command(
    "ChangeRequests.create",
    (choice) => {
      const space = chooseSpace(choice)
      return space === undefined ? undefined : { space, input: { subject: makeTitle(choice.random) } }
    },
    {
      learn: (known, result, { space }) => {
        const id = idIn(result)
        if (id !== undefined) known.changeRequests.push({ space: space as string, id })
      }
    }
  ),
  command("ChangeRequests.update", (choice) => {
    const target = chooseChangeRequest(choice)
    if (target === undefined) return undefined
    const { random } = choice
    const input = random.chance(0.5)
      ? { subject: makeTitle(random) }
      : { status: random.pick(["draft", "open", "open", "archived"]) }
    return { ...target, input }
  }),
  command("ChangeRequests.merge", chooseChangeRequest),
  command("ChangeRequests.updateFromSpace", chooseChangeRequest),
  command("Reviews.submit", (choice) => {
    const target = chooseChangeRequest(choice)
    const status = choice.random.pick(["approved", "changes-requested"])
    return target === undefined ? undefined : { ...target, input: { status } }
  }),
  command("Reviews.request", (choice) => {
    const target = chooseChangeRequest(choice)
    return target === undefined
      ? undefined
      : { ...target, input: { users: [choice.random.pick(choice.known.users)] } }
  }),
  query("Content.listPages", (choice) => {
    const content = chooseContent(choice)
    return content === undefined ? undefined : { content, input: {} }
  }),
  query("Content.getPage", (choice) => {
    const chosen = choosePage(choice)
    return chosen === undefined ? undefined : { ...chosen, input: { format: "markdown" } }
  }),
  query("Content.getRevision", (choice) => {
    const content = chooseContent(choice)
    return content === undefined ? undefined : { content, input: {} }
  }),
  query("Revisions.list", (choice) => {
    const space = chooseSpace(choice)
    return space === undefined ? undefined : { space, input: {} }
  }),
  query("ChangeRequests.get", chooseChangeRequest),
  query("ChangeRequests.list", (choice) => {
    const space = chooseSpace(choice)
    return space === undefined ? undefined : { space, input: {} }
  }),
  query("ChangeRequests.previewMerge", chooseChangeRequest),
  query("Reviews.list", chooseChangeRequest),
  query(
    "Search.searchSpace",
    (choice) => {
      const space = chooseSpace(choice)
      return space === undefined ? undefined : { space, input: { query: choice.random.pick(words) } }
    },
    // A job adds the pages of a duplicate.
    { isCompared: false }
  )
]
