import { fetchRead } from '../../shared/api/index.ts'
import { type PageOf, useNewestFirst } from '../../shared/list/index.ts'
import { type Notice, type NoticePage, noticePagesKey } from './use-notices.ts'

const pageOf: PageOf<NoticePage, Notice> = {
  itemsOf: ({ items }) => items,
  withItems: (page, items) => ({ ...page, items }),
  keyOf: ({ id }) => id,
}

export const useNoticeList = () =>
  useNewestFirst({
    queryKey: noticePagesKey(),
    readPage: (page, signal) => fetchRead('notice/list', page, signal),
    pageOf,
  })
