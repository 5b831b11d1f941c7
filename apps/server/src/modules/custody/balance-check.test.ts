import { BaseError } from 'viem'
import { describe, expect, it } from 'vitest'
import { isStatePruned } from './balance-check.ts'

const nodeError = (details: string) => new BaseError('the call failed', { details })

describe('the error of a node that is asked about an old block', () => {
  it.each([
    'missing trie node 5f1c… (path ) state 0x5f1c… is not available',
    'required historical state unavailable (reexec=128)',
    'historical state 0x5f1c… is not available',
    'state at block #17 is pruned',
    'World state unavailable',
    'No state available for block 17',
    'this request needs an archive node',
  ])('means that the state was pruned: %s', (details) => expect(isStatePruned(nodeError(details))).toBe(true))

  it.each([
    'header not found',
    'invalid state of the connection',
    'state is not available yet: the node is syncing',
    'BlockOutOfRangeError: block height is 5 but requested was 6',
    'rate limit exceeded; see your history of requests',
  ])('means only that the call failed: %s', (details) => expect(isStatePruned(nodeError(details))).toBe(false))
})
