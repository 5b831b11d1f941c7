import type { DataOf, RequestOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { read } from '../api/index.ts'
import { useNow } from '../clock/index.ts'
import { canNoLongerArrive, LOOKUP_INTERVAL_MS } from './lost-press.ts'
import type { Press, PressStore } from './press-store.ts'

type Lookup<P extends Press, Made> = {
  readonly presses: PressStore<P>
  readonly press: P
  /** The list in which the pool would show the result of the press, and how to find it there. */
  readonly list: Omit<RequestOf<'order/list'>, 'account'>
  readonly findMade: (page: DataOf<'order/list'>) => Made | undefined
}

/**
 * Looks for the result of a press whose answer was lost, by reading the pool's own list again and again. The member may
 * discard the press only when it can no longer arrive, because a new press would have another key.
 */
export function useLostPress<P extends Press, Made>({ presses, press, list, findMade }: Lookup<P, Made>) {
  const now = useNow(LOOKUP_INTERVAL_MS)
  const { data, dataUpdatedAt, error } = useQuery({
    ...read('order/list', list),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && findMade(state.data) ? false : LOOKUP_INTERVAL_MS),
  })
  const made = data && findMade(data)
  // Read from storage again, because the press may have been sent again meanwhile.
  const kept = presses.pendingOf(press.account).find(({ key }) => key === press.key)
  const isOver = !error && canNoLongerArrive(kept?.pressedAt ?? press.pressedAt, dataUpdatedAt, now)
  useEffect(() => {
    if (made) presses.remove(press)
  }, [made, presses, press])

  return {
    made,
    /** The press is no longer pending: a late answer has told its outcome, or it is older than a day. */
    isAnswered: !made && !kept,
    stage: error ? 'cannotLook' : !data ? 'looking' : isOver ? 'notArrived' : 'notYet',
    /** The press can no longer arrive, so the member may discard it. */
    isOver,
  } as const
}
