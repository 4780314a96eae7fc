/** References of content to other content, and to URLs. */
import type { ContentRef, ReusableContentRef as ReusableContent } from "@lectern/model/document"

type ReusableContentRef = typeof ReusableContent.Type

/** A reference to an OpenAPI spec of the organization, by its id or its slug. */
interface OpenApiRef {
  readonly kind: "openapi"
  readonly spec: string
}

/** A reference to a page, a file, a reusable content, a spec or a URL, with the section that contains it. */
export interface Reference {
  /** The target of the reference. */
  readonly ref: ContentRef | ReusableContentRef | OpenApiRef
  /** The anchor of the section. Empty before the first heading. */
  readonly anchor: string
}
