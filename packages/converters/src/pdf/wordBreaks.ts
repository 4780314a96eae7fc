/** Finds the words of scripts that are written without spaces: Thai, Lao, Khmer and Burmese. */

const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

/** The maximum number of characters that are segmented together. */
const maxSegmentLength = 2000

let segmenter: Intl.Segmenter | undefined

/** Returns the starts of words within sequences of these scripts, where lines can be broken, in ascending order. */
export const wordBreaks = (text: string): Array<number> => {
  const breaks: Array<number> = []
  for (const { 0: sequence, index } of text.matchAll(withoutSpaces)) {
    if (sequence.length > maxSegmentLength) continue
    segmenter ??= new Intl.Segmenter("th", { granularity: "word" })
    for (const segment of segmenter.segment(sequence)) {
      if (segment.index > 0) breaks.push(index + segment.index)
    }
  }
  return breaks
}
