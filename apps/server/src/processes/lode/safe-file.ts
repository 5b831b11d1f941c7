import { writeFileSync } from 'node:fs'
import { ok, type Result, refused } from '@lode/kernel'
import type { ContractCall } from '../../platform/chain/node.ts'
import { refuseBareKey } from './terminal.ts'

type SafeBatch = {
  readonly chainId: number
  readonly name: string
  readonly description: string
  readonly calls: readonly ContractCall[]
}

/** A batch of calls in the form that the Transaction Builder of the Safe wallet imports. */
export const formatSafeBatch = ({ chainId, name, description, calls }: SafeBatch, createdAt: number) => ({
  version: '1.0',
  chainId: String(chainId),
  createdAt,
  meta: { name, description },
  // With call data and no method, the wallet sends the data as it is.
  transactions: calls.map(({ to, data }) => ({
    to,
    value: '0',
    data,
    contractMethod: null,
    contractInputsValues: null,
  })),
})

/** Why a new file could not be written, and what to do. */
export function describeWriteFailure(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EEXIST') return `${file} exists already, and it is never replaced. Name another file.`
  if (code === 'ENOENT') return `${file} cannot be written: its folder does not exist.`
  return `${file} cannot be written (${code}). Name a file in a folder where you may write.`
}

/** Never overwrites a file: its signers may have seen the other one. */
export function writeSafeFile(file: string, batch: SafeBatch): Result<null, string> {
  refuseBareKey(file)
  try {
    writeFileSync(file, `${JSON.stringify(formatSafeBatch(batch, Date.now()), null, 2)}\n`, { flag: 'wx' })
    return ok(null)
  } catch (error) {
    return refused(describeWriteFailure(file, error))
  }
}
