/** The error of a PDF that is too large. */

/** The PDF of a book exceeds the size limit of 64 MB. The message can be shown to users. */
export class PdfTooLarge extends Error {}
