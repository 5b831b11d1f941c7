import type { DataOf } from '@lode/wire'

export type Article = DataOf<'help/list'>['articles'][number]
export type Spans = Extract<Article['blocks'][number], { kind: 'paragraph' }>['spans']

const plainText = (spans: Spans): string => spans.map(({ text }) => text).join('')

/** The article's first paragraph. */
export const firstParagraph = ({ blocks }: Article): string =>
  plainText(blocks.find((block) => block.kind === 'paragraph')?.spans ?? [])

/** All texts of the article below its title, one for each part. */
export const articleTexts = ({ blocks }: Article): string[] => blocks.flatMap(blockTexts)

function blockTexts(block: Article['blocks'][number]): string[] {
  switch (block.kind) {
    case 'heading':
      return [block.text]
    case 'paragraph':
      return [plainText(block.spans)]
    case 'list':
      return block.items.map(plainText)
  }
}
