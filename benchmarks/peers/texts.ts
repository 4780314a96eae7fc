/** The Markdown of pages of benchmarks. */

/** Returns a page of about 4 kB, in which every page and every version differs. */
export const textOf = (page: number, version: number): string =>
  Array.from(
    { length: 8 },
    (_, section) =>
      `## Section ${section} of ${page}\n\n` +
      `Paragraph ${section} has *some* words on the [topic ${page}](https://example.com/${page}) and \`code\`, so that it ` +
      `resembles documentation${section === 4 ? ` of version ${version}` : ""}. A second sentence has **other** words.\n\n` +
      `- first item ${section}\n- second item with \`code\` of ${page}\n- third item\n\n` +
      (section % 2 === 0
        ? `\`\`\`ts\nconst value${page} = ${section}\n\`\`\`\n\n`
        : "Another paragraph of text.\n\n")
  ).join("")
