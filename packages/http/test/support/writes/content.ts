/** Writes to pages, files, imports and change requests. */
import {
  exists,
  type Fact,
  fact,
  isListed,
  isMissing,
  isUnlisted,
  oneIn,
  pickOne,
  type Revised,
  removeWhere,
  rename,
  uniqueName,
  uniqueText,
  type WriteKind,
  type WriteKinds
} from "./writes.ts"

const revisionOf = (space: string, { revision }: Revised): Fact =>
  exists(`/spaces/${space}/revisions/${revision}`)

const pageAt = (content: string, page: string): string => `${content}/page/${page}?format=markdown`

const insertPage: WriteKind = (writer) => {
  const space = pickOne(writer, writer.spaces)
  if (space === undefined) return undefined
  const [title, markdown] = [uniqueName(writer), uniqueText(writer)]
  const image = { name: `${title}.png`, contentType: "image/png", base64: "iVBORw0KGgo=" }
  const page = { operation: "insert_page", title, document: { markdown } }
  const more = oneIn(writer, 3) ? [{ operation: "insert_files", files: [image] }] : []
  return {
    method: "POST",
    path: `/spaces/${space}/content`,
    body: { changes: [page, ...more] },
    done: (revised: Revised) => {
      const { id } = revised.changes![0]!.page!
      writer.pages.push({ space, id, revision: revised.revision })
      const path = pageAt(`/spaces/${space}/content`, id)
      return [revisionOf(space, revised), fact(path, "title", title), fact(path, "markdown", markdown)]
    }
  }
}

const updatePage: WriteKind = (writer) => {
  const page = pickOne(writer, writer.pages)
  if (page === undefined) return undefined
  const [title, markdown] = [uniqueName(writer), uniqueText(writer)]
  const path = pageAt(`/spaces/${page.space}/content`, page.id)
  return {
    method: "POST",
    path: `/spaces/${page.space}/content`,
    body: { changes: [{ operation: "update_page", page: page.id, title, document: { markdown } }] },
    facts: [fact(path, "title", title), fact(path, "markdown", markdown)],
    done: (revised: Revised) => [revisionOf(page.space, revised)]
  }
}

const deletePage: WriteKind = (writer) => {
  const page = writer.pages.length < 4 ? undefined : pickOne(writer, writer.pages)
  if (page === undefined) return undefined
  removeWhere(writer.pages, (other) => other.id === page.id)
  const path = pageAt(`/spaces/${page.space}/content`, page.id)
  return {
    method: "POST",
    path: `/spaces/${page.space}/content`,
    body: { changes: [{ operation: "delete_page", page: page.id }] },
    makesUncertain: [path],
    facts: [isMissing(path)],
    done: () => void writer.archivedPages.push(page)
  }
}

const restoreArchivedPage: WriteKind = (writer) => {
  const page = writer.archivedPages.pop()
  if (page === undefined) return undefined
  const path = pageAt(`/spaces/${page.space}/content`, page.id)
  return {
    method: "POST",
    path: `/spaces/${page.space}/archived-pages/${page.id}/restore`,
    makesUncertain: [path],
    facts: [exists(path)],
    done: () => void writer.pages.push(page)
  }
}

/** Restores an earlier revision. The pages of the space are no longer used, as only some of them are in it. */
const restoreRevision: WriteKind = (writer) => {
  const page = writer.pages.length < 6 ? undefined : pickOne(writer, writer.pages)
  if (page?.revision === undefined) return undefined
  const { space, revision } = page
  removeWhere(writer.pages, (other) => other.space === space)
  removeWhere(writer.archivedPages, (other) => other.space === space)
  const contents = writer.proposals.filter((proposal) => proposal.space === space).map(({ path }) => path)
  return {
    method: "POST",
    path: `/spaces/${space}/revisions/${revision}/restore`,
    makesUncertain: [`/spaces/${space}/content`, ...contents.map((path) => `${path}/content`)],
    done: (revised: Revised) => [revisionOf(space, revised)]
  }
}

const importPage: WriteKind = (writer) => {
  const space = pickOne(writer, writer.spaces)
  if (space === undefined) return undefined
  return {
    method: "POST",
    path: `/spaces/${space}/content/import`,
    body: { url: `${writer.source}/${uniqueName(writer)}.md`, source: "markdown" },
    done: (revised: Revised) => [revisionOf(space, revised)]
  }
}

const importPageInChangeRequest: WriteKind = (writer) => {
  const proposal = pickOne(writer, writer.proposals)
  if (proposal === undefined) return undefined
  return {
    method: "POST",
    path: `${proposal.path}/content/import`,
    body: { url: `${writer.source}/${uniqueName(writer)}.md`, source: "markdown" },
    done: (revised: Revised) => [revisionOf(proposal.space, revised)]
  }
}

const createChangeRequest: WriteKind = (writer) => {
  const space = pickOne(writer, writer.spaces)
  if (space === undefined) return undefined
  const subject = uniqueName(writer)
  return {
    method: "POST",
    path: `/spaces/${space}/change-requests`,
    body: { subject },
    done: ({ number }: { readonly number: number }) => {
      const path = `/spaces/${space}/change-requests/${number}`
      writer.proposals.push({ space, path, pages: new Map() })
      return [fact(path, "subject", subject)]
    }
  }
}

const renameChangeRequest: WriteKind = (writer) =>
  rename(writer, pickOne(writer, writer.proposals)?.path, "PATCH", "subject")

const editChangeRequest: WriteKind = (writer) => {
  const proposal = pickOne(writer, writer.proposals)
  if (proposal === undefined) return undefined
  const [title, markdown] = [uniqueName(writer), uniqueText(writer)]
  const pagesOfSpace = writer.pages.filter(({ space }) => space === proposal.space)
  const page = oneIn(writer, 2) ? undefined : pickOne(writer, pagesOfSpace)
  const change =
    page === undefined
      ? { operation: "insert_page", title, document: { markdown } }
      : { operation: "update_page", page: page.id, document: { markdown } }
  return {
    method: "POST",
    path: `${proposal.path}/content?compat=false`,
    body: { changes: [change] },
    done: ({ changeRequest, changes }: Revised & { readonly changeRequest: Revised }) => {
      const id = page?.id ?? changes![0]!.page!.id
      proposal.pages.set(id, markdown)
      return [
        revisionOf(proposal.space, changeRequest),
        fact(pageAt(`${proposal.path}/content`, id), "markdown", markdown)
      ]
    }
  }
}

const reviewChangeRequest: WriteKind = (writer) => {
  const proposal = pickOne(writer, writer.proposals)
  if (proposal === undefined) return undefined
  return {
    method: "POST",
    path: `${proposal.path}/reviews`,
    body: { status: oneIn(writer, 2) ? "approved" : "changes-requested" },
    facts: [exists(proposal.path)]
  }
}

/** Requests the review of a user who can review, which another write may have requested already. */
const requestReview: WriteKind = (writer) => {
  const proposal = pickOne(writer, writer.proposals)
  const reviewer = pickOne(writer, writer.reviewers)
  if (proposal === undefined || reviewer === undefined) return undefined
  const subject = uniqueName(writer)
  return {
    method: "POST",
    path: `${proposal.path}/requested-reviewers`,
    body: { users: [reviewer], subject },
    done: () => {
      const list = `${proposal.path}/requested-reviewers`
      writer.reviewRequests.push({ list, user: reviewer })
      return [fact(proposal.path, "subject", subject), isListed(list, reviewer, "user.id")]
    }
  }
}

const removeRequestedReviewer: WriteKind = (writer) => {
  const request = pickOne(writer, writer.reviewRequests)
  if (request === undefined) return undefined
  const { list, user } = request
  removeWhere(writer.reviewRequests, (other) => other.list === list && other.user === user)
  return { method: "DELETE", path: `${list}/${user}`, facts: [isUnlisted(list, user, "user.id")] }
}

const updateChangeRequest: WriteKind = (writer) => {
  const proposal = pickOne(writer, writer.proposals)
  if (proposal === undefined) return undefined
  return { method: "POST", path: `${proposal.path}/update`, makesUncertain: [`${proposal.path}/content`] }
}

const mergeChangeRequest: WriteKind = (writer) => {
  const [proposal] = writer.proposals.splice(0, 1)
  if (proposal === undefined) return undefined
  removeWhere(writer.reviewRequests, ({ list }) => list.startsWith(`${proposal.path}/`))
  return {
    method: "POST",
    path: `${proposal.path}/merge`,
    // The merged text of a page that both sides changed is not predicted.
    makesUncertain: [...proposal.pages.keys()].map((id) => pageAt(`/spaces/${proposal.space}/content`, id)),
    done: ({ result }: { readonly result: string }) => {
      if (result === "conflicts") return []
      return [
        fact(proposal.path, "status", "merged"),
        ...[...proposal.pages]
          .filter(([id]) => !writer.pages.some((page) => page.id === id))
          .map(([id, markdown]) => {
            writer.pages.push({ space: proposal.space, id })
            return fact(pageAt(`/spaces/${proposal.space}/content`, id), "markdown", markdown)
          })
      ]
    }
  }
}

/** The kinds of these writes, by operation. */
export const contentWrites = {
  updateSpaceContent: [insertPage, updatePage, deletePage],
  restoreRevision: [restoreRevision],
  restoreArchivedPage: [restoreArchivedPage],
  importContent: [importPage],
  importContentInChangeRequest: [importPageInChangeRequest],
  createChangeRequest: [createChangeRequest],
  updateChangeRequestById: [renameChangeRequest],
  updateChangeRequestContent: [editChangeRequest],
  updateChangeRequest: [updateChangeRequest],
  mergeChangeRequest: [mergeChangeRequest],
  submitChangeRequestReview: [reviewChangeRequest],
  requestReviewersForChangeRequest: [requestReview],
  removeRequestedReviewerFromChangeRequest: [removeRequestedReviewer]
} satisfies WriteKinds
