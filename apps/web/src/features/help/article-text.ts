import type { DataOf } from '@lode/wire'

export type Article = DataOf<'help/list'>['articles'][number]
export type Spans = Extract<Article['blocks'][number], { kind: 'paragraph' }>['spans']

const plainText = (spans: Spans): string => spans.map(({ text }) => text).join('')

/** Its first paragraph. */
export const beginningOf = ({ blocks }: Article): string =>
  plainText(blocks.find((block) => block.kind === 'paragraph')?.spans ?? [])

/** Everything that it says below its title, part by part. */
export const textsOf = ({ blocks }: Article): string[] => blocks.flatMap(textsOfBlock)

function textsOfBlock(block: Article['blocks'][number]): string[] {
  switch (block.kind) {
    case 'heading':
      return [block.text]
    case 'paragraph':
      return [plainText(block.spans)]
    case 'list':
      return block.items.map(plainText)
  }
}
