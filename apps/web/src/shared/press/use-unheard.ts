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
  /** The list in which the pool would show the result of the press, and how to find it there. */
  readonly list: Omit<RequestOf<'order/list'>, 'account'>
  readonly madeIn: (page: DataOf<'order/list'>) => Made | undefined
}

/**
 * A press whose answer was lost. The pool's own list is read until the result is found in it. The member may discard
 * the press only when it can no longer arrive, because a new press would have another key.
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
  // Read from storage again, because the press may have been sent again meanwhile.
  const kept = presses.keptOf(press.account).find(({ key }) => key === press.key)
  const isOver = !error && willNotCome(kept?.pressedAt ?? press.pressedAt, dataUpdatedAt, now)
  useEffect(() => {
    if (made) presses.drop(press)
  }, [made, presses, press])

  return {
    made,
    /** An answer came after all and refused the press, so there is nothing to wait for. */
    isAnswered: !made && !kept,
    stage: error ? 'cannotLook' : !data ? 'looking' : isOver ? 'notArrived' : 'notYet',
    isOver,
  } as const
}
