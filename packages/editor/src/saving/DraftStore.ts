/** Drafts in the browser: edits are stored immediately, and deleted once the server has them. */
import type { Document } from "../model.ts"

/** A document that the server does not have yet. */
export interface Draft {
  /** The name of the document: `name` of its backend. */
  readonly name: string
  /** The document as it was edited. */
  readonly document: Document
  /** The document that was edited, and its version. */
  readonly base: Document
  /** The version of `base`, which the next save is conditional on. */
  readonly version: string
  /** The time of the last change, in milliseconds. */
  readonly changedAt: number
}

/** Stores drafts by the name of their document. */
export interface DraftStore {
  /** Returns the draft of a document, or `undefined`. */
  get(name: string): Promise<Draft | undefined>
  /** Stores a draft, and replaces the one of the same name. */
  put(draft: Draft): Promise<void>
  /** Deletes the draft of a document. Does nothing without a draft. */
  delete(name: string): Promise<void>
}

const databaseName = "lectern-editor"
const storeName = "drafts"

const promiseOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error("The browser's storage failed."))
  })

const openDatabase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(databaseName, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(storeName, { keyPath: "name" })
  }
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
    })
  }

  /** Returns the draft of a document, or `undefined`. */
  async get(name: string): Promise<Draft | undefined> {
    const store = await this.store("readonly")
    return (await promiseOf(store.get(name))) as Draft | undefined
  }

  /** Stores a draft. Resolves when the transaction is committed. */
  put(draft: Draft): Promise<void> {
    return this.commit((store) => store.put(draft))
  }

  /** Deletes the draft of a document. Resolves when the transaction is committed. */
  delete(name: string): Promise<void> {
    return this.commit((store) => store.delete(name))
  }
}

/** Stores drafts in memory, for tests and for hosts that do not permit storage in the browser. */
export class MemoryDrafts implements DraftStore {
  /** The drafts by the names of their documents. */
  readonly drafts = new Map<string, Draft>()

  /** Returns the draft of a document, or `undefined`. */
  get(name: string): Promise<Draft | undefined> {
    return Promise.resolve(this.drafts.get(name))
  }

  /** Stores a draft, and replaces the one of the same name. */
  put(draft: Draft): Promise<void> {
    this.drafts.set(draft.name, draft)
    return Promise.resolve()
  }

  /** Deletes the draft of a document. */
  delete(name: string): Promise<void> {
    this.drafts.delete(name)
    return Promise.resolve()
  }
}
