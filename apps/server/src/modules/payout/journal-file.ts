import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Address, type Hex, isAddressEqual } from 'viem'
import {
  type Journal,
  type JournalHigherFee,
  type JournalLine,
  JournalProblem,
  type JournalRelease,
  parseJournal,
  readJournalFile,
} from './journal.ts'

/** The pool that a journal belongs to. */
type JournalOwner = { readonly chainId: number; readonly vault: Address }

export type JournalFile = Awaited<ReturnType<typeof openJournalFile>>

/**
 * Opens the journal for writing, and begins it if there is none. Its folder must exist: a disk that is not mounted must
 * not go unnoticed. A last line that was not completely written is cut off. Throws a `JournalProblem` if the file cannot
 * be used.
 */
export async function openJournalFile(path: string, owner: JournalOwner) {
  const bytes = await readJournalFile(path)
  const journal = parseJournal(bytes)
  if (journal) checkOwner(journal, owner)
  else checkIsUnfinishedStart(bytes, owner)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'a', 0o600)
    if (journal) await cutUnfinishedLine(handle, bytes, journal)
    else await begin(handle, path, owner)
    // The lines may be in memory only, if the process that wrote them was killed.
    await handle.sync()
    return createWriter(handle, journal?.lines ?? [], (await handle.stat()).size)
  } catch (error) {
    await handle?.close().catch(() => {})
    throw cannotWrite(error)
  }
}

function createWriter(handle: FileHandle, lines: readonly JournalLine[], sizeAtStart: number) {
  const all = [...lines]
  const hashes = new Set(all.map(({ hash }) => hash))
  let size = sizeAtStart

  /** Returns once the line is on the disk. If that fails, nothing may be sent, and the file must be opened again. */
  async function append(entry: JournalRelease | JournalHigherFee): Promise<void> {
    const text = Buffer.from(`${JSON.stringify(entry)}\n`)
    try {
      const found = await handle.stat()
      if (found.nlink === 0) throw new Error('the file was removed')
      if (found.size !== size) throw new Error('another process writes to it')
      await handle.writeFile(text)
      await handle.sync()
    } catch (error) {
      await handle.truncate(size).catch(() => {})
      throw cannotWrite(error)
    }
    size += text.length
    all.push({ ...entry, line: all.length + 2, end: size })
    hashes.add(entry.hash)
  }

  return {
    lines: all as readonly JournalLine[],
    /** Whether a line has this version of a release. */
    has: (hash: Hex): boolean => hashes.has(hash),
    append,
    close: (): Promise<void> => handle.close(),
  }
}

const headerOf = ({ chainId, vault }: JournalOwner): string => `${JSON.stringify({ journal: 1, chainId, vault })}\n`

async function begin(handle: FileHandle, path: string, owner: JournalOwner): Promise<void> {
  await handle.truncate(0)
  await handle.writeFile(headerOf(owner))
  await handle.sync()
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function cutUnfinishedLine(handle: FileHandle, bytes: Buffer, { size }: Journal): Promise<void> {
  if (bytes.length > size) await handle.truncate(size)
}

function checkOwner({ chainId, vault }: Journal, owner: JournalOwner): void {
  if (chainId !== owner.chainId || !isAddressEqual(vault, owner.vault))
    throw new JournalProblem(`the signer's journal belongs to vault ${vault} on chain ${chainId}`)
}

/** A file without any whole line is overwritten only if it is the start of a first line. */
function checkIsUnfinishedStart(bytes: Buffer, owner: JournalOwner): void {
  if (!headerOf(owner).startsWith(bytes.toString('utf8')))
    throw new JournalProblem('SIGNER_JOURNAL names a file that is not a journal')
}

const cannotWrite = (error: unknown): JournalProblem =>
  new JournalProblem(`the signer's journal cannot be written, so nothing is sent: ${(error as Error).message}`)
