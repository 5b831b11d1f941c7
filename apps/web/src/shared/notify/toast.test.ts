import { expect, it } from 'vitest'
import { takeWaitingToasts, toast, useWaitingToasts } from './toast.ts'

it('a toast waits until it is taken, and is taken once', () => {
  toast.error('NET ERROR!')
  toast.success('Copied')
  expect(takeWaitingToasts()).toEqual([
    { tone: 'error', text: 'NET ERROR!' },
    { tone: 'success', text: 'Copied' },
  ])
  expect(takeWaitingToasts()).toEqual([])
})

it('each new toast is told to whoever draws them, who may take it at once', () => {
  const taken: string[] = []
  const stop = useWaitingToasts.subscribe(() => taken.push(...takeWaitingToasts().map(({ text }) => text)))
  toast.success('one')
  toast.success('two')
  stop()
  expect(taken).toEqual(['one', 'two'])
})
