/** Drafts in the browser: edits are stored immediately, and deleted once the server has them. */
import type { Document } from "../model.ts"

/** A draft whose text another draft has, as of a time. */
export interface ContainedDraft {
  /** The id of the editor that stored it. */
  readonly writer: string
  /** The time of its last change, in milliseconds. */
  readonly changedAt: number
}

/** A document that the server does not have yet. Each editor has its own draft, so that two tabs do not replace each other's text. */
export interface Draft {
  /** The name of the document: `name` of its backend. */
  readonly name: string
  /** The id of the editor that stored the draft. */
  readonly writer: string
  /** The document as it was edited. */
  readonly document: Document
  /** The document that was edited, and its version. */
  readonly base: Document
  /** The version of `base`, which the next save is conditional on. */
  readonly version: string
  /** Documents that were sent to the server without a response: the server may have one of them. */
  readonly unconfirmed?: ReadonlyArray<Document>
  /** The drafts of earlier editors whose text this one has, because its editor restored them. */
  readonly contains?: ReadonlyArray<ContainedDraft>
  /** The time of the last change, in milliseconds. */
  readonly changedAt: number
}

/** Stores drafts by the name of their document and the id of their editor. */
export interface DraftStore {
  /** Returns the drafts of a document, in any order. */
  list(name: string): Promise<ReadonlyArray<Draft>>
  /** Stores a draft, and replaces the one of the same editor. */
  put(draft: Draft): Promise<void>
  /** Deletes the draft of an editor. Does nothing without a draft. */
  delete(name: string, writer: string): Promise<void>
}

const databaseName = "lectern-editor"
const storeName = "drafts-of-editors"
/** The store of the first version, which had one draft for each document. */
const firstStoreName = "drafts"

const promiseOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error("The browser's storage failed."))
  })

/** Creates the store, and moves the drafts of the first version to it. */
const upgrade = (request: IDBOpenDBRequest): void => {
  const { result: database, transaction } = request
  const store = database.createObjectStore(storeName, { keyPath: ["name", "writer"] })
  if (!database.objectStoreNames.contains(firstStoreName)) return
  const all = transaction!.objectStore(firstStoreName).getAll()
  all.onsuccess = () => {
    for (const draft of all.result as ReadonlyArray<object>) store.put({ ...draft, writer: "" })
    database.deleteObjectStore(firstStoreName)
  }
}

const openDatabase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(databaseName, 2)
  request.onupgradeneeded = () => upgrade(request)
  return promiseOf(request)
}

/** Stores drafts in IndexedDB. A write is finished when the browser has committed it. */
export class IndexedDrafts implements DraftStore {
  private database: Promise<IDBDatabase> | undefined

  private async store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.database ??= openDatabase().then((database) => {
      // Another tab that upgrades the database waits for this connection to close.
      database.onversionchange = () => {
        database.close()
        this.database = undefined
      }
      return database
    })
    try {
      const database = await this.database
      return database.transaction(storeName, mode, { durability: "strict" }).objectStore(storeName)
    } catch (error) {
      this.database = undefined
      throw error
    }
  }

  private async commit(change: (store: IDBObjectStore) => void): Promise<void> {
    const store = await this.store("readwrite")
    await new Promise<void>((resolve, reject) => {
      store.transaction.oncomplete = () => resolve()
      store.transaction.onabort = () =>
        reject(store.transaction.error ?? new Error("The browser's storage failed."))
      change(store)
      // A page that is closed does not respond to the result of the change, after which the browser would commit.
      store.transaction.commit()
    })
  }

  /** Returns the drafts of a document. */
  async list(name: string): Promise<ReadonlyArray<Draft>> {
    const store = await this.store("readonly")
    return (await promiseOf(store.getAll(IDBKeyRange.bound([name], [name, []])))) as ReadonlyArray<Draft>
  }

  /** Stores a draft. Resolves when the transaction is committed. */
  put(draft: Draft): Promise<void> {
    return this.commit((store) => store.put(draft))
  }

  /** Deletes the draft of an editor. Resolves when the transaction is committed. */
  delete(name: string, writer: string): Promise<void> {
    return this.commit((store) => store.delete([name, writer]))
  }
}

/** Stores drafts in memory, for tests and for hosts that do not permit storage in the browser. */
export class MemoryDrafts implements DraftStore {
  /** The drafts by the names of their documents and the ids of their editors, separated by a line break. */
  readonly drafts = new Map<string, Draft>()

  /** Returns the drafts of a document. */
  list(name: string): Promise<ReadonlyArray<Draft>> {
    return Promise.resolve([...this.drafts.values()].filter((draft) => draft.name === name))
  }

  /** Stores a draft, and replaces the one of the same editor. */
  put(draft: Draft): Promise<void> {
    this.drafts.set(`${draft.name}\n${draft.writer}`, draft)
    return Promise.resolve()
  }

  /** Deletes the draft of an editor. */
  delete(name: string, writer: string): Promise<void> {
    this.drafts.delete(`${name}\n${writer}`)
    return Promise.resolve()
  }
}
