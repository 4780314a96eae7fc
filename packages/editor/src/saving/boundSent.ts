/** The documents that were sent without a response. */
import type { Document } from "../model.ts"

const mostUnconfirmed = 20

/** Keeps the newest and the oldest of the documents that were sent, newest first: the server usually has the one that arrived first. */
export const boundSent = (documents: ReadonlyArray<Document>): ReadonlyArray<Document> =>
  documents.length <= mostUnconfirmed
    ? documents
    : [...documents.slice(0, mostUnconfirmed / 2), ...documents.slice(-mostUnconfirmed / 2)]
