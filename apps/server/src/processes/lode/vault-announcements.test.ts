import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

describe('lode vault dismiss', () => {
  it.each([
    ['neither a hash nor --all', [], 'Name either the hash'],
    ['both', [keccak256('0x'), '--all'], 'Name either the hash'],
    ['a hash that is too short', ['0x12'], '0x12 is not the hash of an announcement'],
  ])('refuses %s', async (_what, words, message) => {
    await expect(createProgram().parseAsync(['node', 'lode', 'vault', 'dismiss', ...words])).rejects.toThrow(message)
  })
})
