import type { DataOf, RequestOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { read } from '../api/index.ts'
import { useNow } from '../clock/index.ts'
import type { Press, Presses } from './presses.ts'
import { LOOK_EVERY_MS, willNotCome } from './unheard.ts'

type Lookup<P extends Press, Made> = {
  readonly presses: Presses<P>
  readonly press: P
  /** In which of the pool's lists what it made would stand, and where. */
  readonly list: Omit<RequestOf<'order/list'>, 'account'>
  readonly madeIn: (page: DataOf<'order/list'>) => Made | undefined
}

/**
 * A press whose answer was lost: what came of it is looked up in the pool's own list until it is found there. It may be given up only
 * where it is known not to have come, since another press would be another key.
 */
export function useUnheard<P extends Press, Made>({ presses, press, list, madeIn }: Lookup<P, Made>) {
  const now = useNow(LOOK_EVERY_MS)
  const { data, dataUpdatedAt, error } = useQuery({
    ...read('order/list', list),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && madeIn(state.data) ? false : LOOK_EVERY_MS),
  })
  const made = data && madeIn(data)
  // As it is written down now: it may have been sent again meanwhile.
  const kept = presses.keptOf(press.account).find(({ key }) => key === press.key)
  const isOver = !error && willNotCome(kept?.pressedAt ?? press.pressedAt, dataUpdatedAt, now)
  useEffect(() => {
    if (made) presses.drop(press)
  }, [made, presses, press])

  return {
    made,
    /** By the answer after all: refused, so that there is nothing to wait for. */
    isAnswered: !made && !kept,
    stage: error ? 'cannotLook' : !data ? 'looking' : isOver ? 'notArrived' : 'notYet',
    isOver,
  } as const
}
