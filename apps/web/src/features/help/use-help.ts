import type { Language } from '@lode/wire'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'

/** While another language loads, the old texts stay. */
export const useHelp = (lang: Language) =>
  useQuery({
    ...read('help/list', { lang }),
    meta: { quiet: true },
    gcTime: Number.POSITIVE_INFINITY,
    staleTime: 600_000,
    placeholderData: keepPreviousData,
  })
