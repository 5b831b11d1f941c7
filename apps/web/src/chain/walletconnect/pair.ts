import { walletProblemOf } from '../wallet-problem.ts'
import type { Client } from './client.ts'
import { closePairing, showPairing } from './pairing.ts'

type Accounts = readonly string[]

/** An attempt to connect. The library cannot end one: it goes on until a wallet answers or five minutes are over. */
type Attempt = { uri: string | null; onUri: (uri: string) => void; readonly accounts: Promise<Accounts> }

/** The timeout for the pairing address. The relay usually answers within a second. */
const CODE_TIMEOUT_MS = 12_000

/** Returns a function that shows the pairing sheet until a wallet has connected or refused, or the member closes it. */
export function createPairer(start: () => Promise<Client>): () => Promise<Accounts> {
  let attempt: Attempt | null = null
  let isWaiting = false

  /** Starts an attempt, or continues the one that is under way. */
  function beginAttempt(): Attempt {
    if (attempt) return attempt
    const started: Attempt = { uri: null, onUri: () => {}, accounts: connect() }
    attempt = started
    async function connect(): Promise<Accounts> {
      try {
        const client = await start()
        if (!client.session) await connectClient(client, takeUri)
        // The wallet accepted after the member had closed the sheet.
        if (!isWaiting) await client.disconnect()
        return client.accounts
      } finally {
        attempt = null
      }
    }
    function takeUri(uri: string): void {
      started.uri = uri
      started.onUri(uri)
    }
    return started
  }

  return async function pair() {
    const { mountPairingSheet } = await import('./pairing-sheet.tsx')
    await mountPairingSheet()
    isWaiting = true
    return new Promise<Accounts>((resolve, reject) => {
      let round = 0
      const finish = (settle: () => void) => {
        isWaiting = false
        round += 1
        closePairing()
        settle()
      }
      const answers = {
        onRetry: () => void tryToPair(),
        onCancel: () => finish(() => reject(Object.assign(new Error('The sheet was closed'), { code: 4001 }))),
      }

      async function tryToPair(): Promise<void> {
        round += 1
        const mine = round
        const show = (shown: Parameters<typeof showPairing>[0]) => mine === round && showPairing(shown, answers)
        show({ at: 'loading' })
        const timeout = setTimeout(() => show({ at: 'unreachable' }), CODE_TIMEOUT_MS)
        const current = beginAttempt()
        current.onUri = (uri) => {
          clearTimeout(timeout)
          show({ at: 'code', uri })
        }
        if (current.uri !== null) current.onUri(current.uri)
        try {
          const accounts = await current.accounts
          if (mine === round) finish(() => resolve(accounts))
        } catch (error) {
          if (mine !== round) return
          if (walletProblemOf(error) === 'refused') finish(() => reject(error))
          else if (error instanceof Error && /expired/i.test(error.message)) void tryToPair()
          else show({ at: 'unreachable' })
        } finally {
          clearTimeout(timeout)
        }
      }

      void tryToPair()
    })
  }
}

async function connectClient(client: Client, onUri: (uri: string) => void): Promise<void> {
  const listener = (uri: unknown) => onUri(String(uri))
  client.on('display_uri', listener)
  try {
    await client.connect()
  } finally {
    client.removeListener('display_uri', listener)
  }
}
