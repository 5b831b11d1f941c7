import { createStackOperators, type StackOperators } from '@lode/scripts/operators'
import type { BrowserStack } from './stack.ts'

/** The operators of the stack, who decide by the command line with their own keys. */
export const operatorsOf = ({ operatorsFolder, ownerUrl, contracts, chain }: BrowserStack): StackOperators =>
  createStackOperators(operatorsFolder, {
    profile: 'test',
    ownerUrl,
    contracts: { ...contracts, firstBlock: 1 },
    chain: { id: chain.chainId },
  })
